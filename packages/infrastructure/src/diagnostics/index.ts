export { NodeHostDiagnostics, type NodeHostDiagnosticsDeps } from "./node-host-diagnostics.ts";
