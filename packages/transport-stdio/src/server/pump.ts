import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openSocket } from "../socket/open-socket.ts";

export interface PumpOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly socketPath: string;
}

/**
 * Copies bytes between a pair of streams and an owner's socket, no faster than the slower side takes them. The end of
 * the input is passed on, and what the owner still answers is written out: it ends when the owner has ended the
 * connection, or when nobody takes the output any more. Answers who ended first. Throws `TransportError` NOT_CONNECTED
 * when nobody listens.
 */
export async function pump({ input, output, socketPath }: PumpOptions): Promise<"input" | "owner"> {
  const socket = await openSocket(socketPath);
  const stop = new AbortController();
  let first: "input" | "owner" | undefined;
  const upwards = pipeline(input, socket, { signal: stop.signal }).then(
    () => {
      first ??= "input";
    },
    () => {}, // a broken way up is felt on the way down
  );
  try {
    await pipeline(socket, output);
    first ??= "owner";
  } catch {
    // The owner or the reader is gone; there is nobody left to tell.
    first ??= output.errored === null ? "owner" : "input";
  }
  stop.abort();
  socket.destroy();
  input.destroy();
  await upwards;
  return first;
}
