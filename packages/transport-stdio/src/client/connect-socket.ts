import { openSocket } from "../socket/open-socket.ts";
import { createStreamTransport, type StreamTransport } from "./stream-transport.ts";

/** A transport over a Unix socket. `TransportError` NOT_CONNECTED, with the cause, when nobody listens there. */
export async function connectSocket(path: string): Promise<StreamTransport> {
  const socket = await openSocket(path);
  return createStreamTransport({ input: socket, output: socket });
}
