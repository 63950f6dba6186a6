import type { ServerResponse } from "node:http";
import { type Call, listening, sendJson, sendStream, textOf, writeUpdate } from "../library/bare-http.ts";
import { clock } from "../library/questions.ts";
import type { Role } from "./role.ts";

/** The least that node:http can do: parses the call, answers a task; of a stream, writes frames. */
export async function begin(): Promise<Role> {
  let task: { readonly id?: string } = {};
  const streams = new Set<ServerResponse>();
  const port = await listening(async (request, response) => {
    const { id, method } = JSON.parse(await textOf(request)) as Call;
    if (method === "GetTask") return sendJson(response, id, task);
    sendStream(response, id, { task });
    streams.add(response);
    response.on("close", () => streams.delete(response));
  });
  return {
    ready: String(port),
    answers: {
      task(given: typeof task) {
        task = given;
      },
      publish({ updates }: { updates: number }) {
        const began = clock();
        for (let n = 0; n < updates; n++) for (const response of streams) writeUpdate(response, task.id, n);
        return began;
      },
    },
  };
}
