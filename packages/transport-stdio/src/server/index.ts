export {
  asFinal,
  isReadingStream,
  isRepetition,
  type LastElement,
  resumingRequest,
  withoutResume,
} from "../resume/resume-stream.ts";
export { endsStream, isInterrupted } from "../resume/stream-position.ts";
export { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from "./connection-limits.ts";
export { type PumpOptions, pump } from "./pump.ts";
export { type Connection, type ServeConnectionOptions, serveConnection } from "./serve-connection.ts";
export { type ServeSocketOptions, type SocketServer, serveSocket } from "./serve-socket.ts";
