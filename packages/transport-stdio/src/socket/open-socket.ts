import { connect, type Socket } from "node:net";
import { TransportError } from "@cleveragents/protocol";
import { checkSocketPath } from "./socket-path.ts";

/** Connects to a Unix socket; `TransportError` NOT_CONNECTED, with the cause, when nobody listens there. */
export async function openSocket(path: string): Promise<Socket> {
  checkSocketPath(path);
  const socket = connect({ path, allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", (cause) =>
      reject(new TransportError("NOT_CONNECTED", `nobody listens on ${path}`, { cause })),
    );
  });
  return socket;
}
