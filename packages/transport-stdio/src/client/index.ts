export { connectSocket } from "./connect-socket.ts";
export { type ConnectOwnerOptions, connectOwner } from "./discovery/connect-owner.ts";
export { type Discovery, readDiscovery, removeDiscovery, writeDiscovery } from "./discovery/discovery.ts";
export { type FindDataDirOptions, findDataDir } from "./discovery/find-data-dir.ts";
export { makeFolder } from "./discovery/make-folder.ts";
export { OwnerStartError } from "./discovery/owner-start-error.ts";
export { type ReachOwnerOptions, reachOwner } from "./discovery/reach-owner.ts";
export { socketPathFor } from "./discovery/socket-path-for.ts";
export {
  type StartedOwner,
  type StartOwnerOptions,
  startOwnerProcess,
} from "./discovery/start-owner-process.ts";
export { createReconnectingTransport } from "./reconnecting-transport.ts";
export { type SpawnAgentOptions, spawnAgent } from "./spawn-agent.ts";
export {
  createStreamTransport,
  type StreamTransport,
  type StreamTransportOptions,
} from "./stream-transport.ts";
