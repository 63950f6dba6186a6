import type { Socket } from "node:net";
import { encodeFrame, FrameDecoder, TransportError } from "@cleveragents/protocol";
import { openSocket } from "../../socket/open-socket.ts";

const PING = encodeFrame("length", JSON.stringify({ jsonrpc: "2.0", id: "$/ping", method: "$/ping" }));

/**
 * Connects to an owner's socket and waits until it has answered: the system accepts connections for a process that is
 * stopped, or about to leave, too. `TransportError` NOT_CONNECTED when no owner is there, TIMEOUT when it is silent.
 */
export async function openOwner(path: string, withinMs = 15_000): Promise<Socket> {
  const socket = await openSocket(path);
  const decoder = new FrameDecoder({ framing: "length" });
  const answered = Promise.withResolvers<void>();
  const lost = () => answered.reject(new TransportError("NOT_CONNECTED", `no owner answers on ${path}`));
  const read = () => {
    const chunk = socket.read() as Uint8Array | null;
    if (chunk !== null) decoder.push(chunk);
    try {
      if (decoder.next() !== undefined) answered.resolve();
    } catch {
      lost();
    }
  };
  const silent = setTimeout(() => {
    answered.reject(
      new TransportError("TIMEOUT", `who listens on ${path} has not answered within ${withinMs} ms`),
    );
  }, withinMs);
  socket.on("error", lost).on("end", lost).on("close", lost).on("readable", read);
  socket.write(PING);
  try {
    await answered.promise;
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(silent);
    socket.off("readable", read);
  }
}
