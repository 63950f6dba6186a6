export { StdioTransportFactory, type StdioTransportFactoryOptions } from "./stdio-transport-factory.ts";
