export { createHttpServer, type HttpServer, type ListenOptions } from "./create-http-server.ts";
export type { HttpLimits, HttpLogger, HttpServerOptions, Probes } from "./http-server-options.ts";
