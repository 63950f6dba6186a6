export { createHttpTransport, type HttpTransportOptions } from "./create-http-transport.ts";
