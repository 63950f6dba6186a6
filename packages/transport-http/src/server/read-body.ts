import type { IncomingMessage } from "node:http";

export type Body = Buffer | "too large" | "cut off";

/** Reads a body whole, as bytes. What is above the limit is not kept; Node discards it after the answer. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers["content-length"]) > maxBytes) return Promise.resolve("too large");
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve("too large");
      }
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("error", () => resolve("cut off"));
    request.on("close", () => resolve("cut off"));
  });
}
