import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chunkText } from "./tasks.ts";

/** A call as a bare server reads it: nothing of it is checked. */
export interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly message: { readonly messageId: string } };
}

/** Serves on a port of this machine. */
export async function listening(serve: RequestListener): Promise<number> {
  const server = createServer(serve);
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port; // not a pipe: it listens on a port
}

export function sendJson(response: ServerResponse, id: number, result: unknown): void {
  const body = JSON.stringify({ jsonrpc: "2.0", id, result });
  response
    .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    .end(body);
}

/** The head of a stream, and its first event. */
export function sendStream(response: ServerResponse, id: number, result: unknown): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(frame(id, result));
}

export function writeUpdate(response: ServerResponse, taskId: string | undefined, n: number): void {
  const artifact = { artifactId: "output", parts: [{ text: chunkText(n) }] };
  const artifactUpdate = { taskId, contextId: "context", artifact, append: true, lastChunk: false };
  response.write(frame(1, { artifactUpdate }));
}

export function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      text += piece;
    });
    request.on("end", () => resolve(text));
  });
}

function frame(id: number, result: unknown): string {
  return `data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`;
}
