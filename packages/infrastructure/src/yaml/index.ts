export { YamlDocumentReader, type YamlDocumentReaderDeps } from "./yaml-document-reader.ts";
