import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** Something that was posted. */
export interface Hit {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Posted;
}

/** What tests look at of what is posted, in either version. */
export interface Posted {
  readonly statusUpdate?: { readonly status: { readonly state: string }; readonly metadata: Sequenced };
  readonly artifactUpdate?: { readonly metadata: Sequenced };
  readonly kind?: string;
  readonly status?: { readonly state: string };
  readonly metadata?: Sequenced;
}
type Sequenced = Readonly<Record<string, { readonly seq: number }>>;

export type Answer = number | { readonly status: number; readonly headers: Record<string, string> } | "hang";

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly hits: readonly Hit[];
  /** Resolves when the hits are as wanted; looks after each of them. */
  until(enough: (hits: readonly Hit[]) => boolean): Promise<readonly Hit[]>;
}

/** Listens on the loopback interface for what is posted, and answers as it is told. */
export async function openReceiver(
  answer: (hit: Hit, count: number) => Answer | Promise<Answer> = () => 200,
): Promise<Receiver> {
  const hits: Hit[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const hit = { path: request.url ?? "", headers: request.headers, text, json: JSON.parse(text) as Posted };
    hits.push(hit);
    for (const look of [...waiting]) look();
    const given = await answer(hit, hits.length);
    if (given === "hang") return;
    if (typeof given === "number") response.writeHead(given);
    else response.writeHead(given.status, given.headers);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    hits,
    async until(enough) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (enough(hits)) resolve();
      };
      waiting.add(look);
      look();
      await promise;
      waiting.delete(look);
      return hits;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const RESUME = "urn:cleveragents:extensions:resume:v1";

export function seqOf({ json }: Hit): number | undefined {
  const metadata = json.statusUpdate?.metadata ?? json.artifactUpdate?.metadata ?? json.metadata;
  return metadata?.[RESUME]?.seq;
}

/** What an event says, in a word. */
export function wordOf({ json }: Hit): string {
  const state = json.statusUpdate?.status.state ?? json.status?.state;
  return json.artifactUpdate !== undefined
    ? "artifact"
    : (state ?? "?").replace("TASK_STATE_", "").toLowerCase();
}

export const isOver = (hits: readonly Hit[]) =>
  hits.some((hit) => ["completed", "canceled", "failed", "rejected"].includes(wordOf(hit)));
