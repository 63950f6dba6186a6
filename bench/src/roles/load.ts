import { randomUUID } from "node:crypto";
import { type PostedCall, postBytes } from "../library/http-bytes.ts";
import { clock } from "../library/questions.ts";
import { SseSocket } from "../library/sse-socket.ts";
import { UnarySocket } from "../library/unary-socket.ts";
import type { Role } from "./role.ts";

export interface LoadRun extends PostedCall {
  /** Each request has a message id of its own, in place of the one that is there. */
  readonly fresh?: boolean;
  readonly connections: number;
  /** Milliseconds that it lasts. */
  readonly ms: number;
}
export interface Loaded {
  readonly perSecond: number;
  readonly requests: number;
}

/** Asks servers, from a process of its own: calls over kept connections, and event streams. */
export async function begin(): Promise<Role> {
  const pools = new Map<number, UnarySocket[]>();
  const streams = new Map<string, SseSocket[]>();

  async function pool(port: number, connections: number): Promise<UnarySocket[]> {
    const sockets = pools.get(port) ?? [];
    while (sockets.length < connections) sockets.push(await UnarySocket.connect(port));
    pools.set(port, sockets);
    return sockets.slice(0, connections);
  }
  return {
    ready: "load",
    answers: {
      /** One call, parsed: to see that the answer is what is meant to be measured. */
      async call(posted: PostedCall): Promise<unknown> {
        const [socket] = await pool(posted.port, 1);
        return JSON.parse((await socket?.body(postBytes(posted))) ?? "null");
      },
      async run({ connections, ms, fresh, ...posted }: LoadRun): Promise<Loaded> {
        const sockets = await pool(posted.port, connections);
        const same = postBytes(posted);
        const next = fresh === true ? () => postBytes(withFreshId(posted)) : () => same;
        const began = clock();
        const until = began + ms;
        const counts = await Promise.all(sockets.map((socket) => socket.repeat(next, until)));
        const requests = counts.reduce((sum, count) => sum + count, 0);
        return { requests, perSecond: (requests * 1000) / (clock() - began) };
      },
      /** Opens streams under a name; answers how long the first event of the last one took. */
      async open({ name, count, ...posted }: PostedCall & { name: string; count: number }): Promise<number> {
        const request = postBytes(posted);
        const opened = streams.get(name) ?? [];
        streams.set(name, opened);
        let took = 0;
        for (let i = 0; i < count; i++) {
          const socket = await SseSocket.connect(posted.port);
          opened.push(socket);
          const began = clock();
          socket.send(request);
          took = (await socket.received(1)) - began;
        }
        return took;
      },
      /** When the last stream of this name had so many events. */
      async received({ name, events }: { name: string; events: number }): Promise<number> {
        const times = await Promise.all((streams.get(name) ?? []).map((socket) => socket.received(events)));
        return Math.max(...times);
      },
      close({ name }: { name: string }) {
        for (const socket of streams.get(name) ?? []) socket.close();
        streams.delete(name);
      },
    },
  };
}

function withFreshId(posted: PostedCall): PostedCall {
  const params = posted.params as { readonly message: { readonly messageId: string } };
  const message = { ...params.message, messageId: `${params.message.messageId}${randomUUID()}` };
  return { ...posted, params: { ...params, message } };
}
