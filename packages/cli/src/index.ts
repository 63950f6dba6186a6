export type { ConnectRequest, TransportName } from "./connect/connect-request.ts";
export { TransportSelector, type TransportSelectorDeps } from "./connect/transport-selector.ts";
