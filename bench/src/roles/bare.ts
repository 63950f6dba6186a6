import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { clock } from "../library/questions.ts";
import { chunkText } from "../library/tasks.ts";
import type { Role } from "./role.ts";

interface Call {
  readonly id: number;
  readonly method: string;
}

/** The least that node:http can do: parses the call, answers a task; of a stream, writes frames. */
export async function begin(): Promise<Role> {
  let task: { readonly id?: string } = {};
  const streams = new Set<ServerResponse>();

  function stream({ id }: Call, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(frame(id, { task }));
    streams.add(response);
    response.on("close", () => streams.delete(response));
  }
  const server = createServer(async (request, response) => {
    const call = JSON.parse(await textOf(request)) as Call;
    if (call.method !== "GetTask") return stream(call, response);
    const body = JSON.stringify({ jsonrpc: "2.0", id: call.id, result: task });
    response
      .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
      .end(body);
  });
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ready: String((server.address() as AddressInfo).port), // not a pipe: it listens on a port
    answers: {
      task(given: typeof task) {
        task = given;
      },
      publish({ updates }: { updates: number }) {
        const began = clock();
        for (let n = 0; n < updates; n++) {
          const artifact = { artifactId: "output", parts: [{ text: chunkText(n) }] };
          const update = {
            artifactUpdate: {
              taskId: task.id,
              contextId: "context",
              artifact,
              append: true,
              lastChunk: false,
            },
          };
          for (const response of streams) response.write(frame(1, update));
        }
        return began;
      },
    },
  };
}

function frame(id: number, result: unknown): string {
  return `data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`;
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      text += piece;
    });
    request.on("end", () => resolve(text));
  });
}
