import { PassThrough } from "node:stream";
import { encodeFrame, FrameDecoder, LOCAL_PRINCIPAL } from "@cleveragents/protocol";
import { serveConnection } from "@cleveragents/transport-stdio/server";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as any from "./fuzz-arbitraries.ts";
import { type ScriptedServer, serveScripted } from "./serve-scripted.ts";

/** The same inputs each time; another seed, or more of them, by hand. */
const SEED = Number(process.env["FUZZ_SEED"] ?? "20261130");
const RUNS = Number(process.env["FUZZ_RUNS"] ?? "250");
const options = { seed: SEED, numRuns: RUNS } as const;
const timeout = 60_000 + RUNS * 200;
/** An answer that does not come is a failure, and tells what was asked. */
const PATIENCE_MS = 30_000;

/** Nothing of ours may show: places, stacks, statements. */
const OURS =
  /node_modules|\/(?:work|home|tmp|srv)\/|\.[mc]?[jt]s:\d|\n\s+at \S+ \(|SELECT .* FROM|sqlite|sk-test-123/i;
const INTERNAL = /"code":-32603|INTERNAL/;

let server: ScriptedServer;
beforeAll(async () => {
  server = await serveScripted();
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** The answer's text; of a stream, its beginning. */
async function ask(
  path: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly text: string }> {
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, AbortSignal.timeout(PATIENCE_MS)]);
  const response = await fetch(`${server.url}${path}`, { ...init, redirect: "manual", signal });
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true)
    return { status: response.status, text: await response.text() };
  const first = await response.body?.getReader().read();
  left.abort();
  return { status: response.status, text: Buffer.from(first?.value ?? []).toString() };
}

function expectSound({ status, text }: { readonly status: number; readonly text: string }): void {
  expect(text).not.toMatch(OURS);
  expect(text).not.toMatch(INTERNAL);
  expect(status).toBeLessThan(500);
  expect(server.faults).toEqual([]);
}

describe("whatever is sent", () => {
  test("to the JSON-RPC endpoint is answered in JSON, without a fault of ours", { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(any.body, any.headers, async (body, headers) => {
        const answer = await ask("/a2a", { method: "POST", headers, body });
        expectSound(answer);
        if (answer.text === "") expect(answer.status).toBe(204);
        else if (!/^(id|data|retry|:)/.test(answer.text)) JSON.parse(answer.text);
      }),
      options,
    );
  });

  test("to HTTP+JSON is answered in JSON, without a fault of ours", { timeout }, async () => {
    const verb = fc.constantFrom("GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS");
    await fc.assert(
      fc.asyncProperty(verb, any.restPath, any.headers, any.body, async (method, path, headers, body) => {
        const bare = method === "GET" || method === "HEAD";
        const answer = await ask(`/a2a/rest${path}`, { method, headers, ...(bare ? {} : { body }) });
        expectSound(answer);
        if (answer.text !== "" && !/^(id|data|retry|:)/.test(answer.text)) JSON.parse(answer.text);
      }),
      options,
    );
  });

  test("on a stdio connection, in any framing and cut anywhere, what comes after it is answered", {
    timeout,
  }, async () => {
    const framing = fc.constantFrom("length" as const, "newline" as const, "header" as const);
    const texts = fc.array(
      fc
        .oneof(any.envelope, any.almost, fc.array(any.envelope, { maxLength: 3 }))
        .map((value) => JSON.stringify(value) ?? "null"),
      { minLength: 1, maxLength: 5 },
    );
    const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 400 }));
    await fc.assert(
      fc.asyncProperty(framing, texts, cuts, async (kind, sent, sizes) => {
        const answers = await converse(kind, sent, sizes);
        expect(JSON.stringify(answers)).not.toMatch(OURS);
        expect(JSON.stringify(answers)).not.toMatch(INTERNAL);
        const probes = sent.map((_, n) => `probe-${n}`);
        const answered = answers.flatMap((answer) => (isProbe(answer) ? [answer.id] : []));
        expect(answered.sort()).toEqual(probes.sort());
      }),
      { ...options, numRuns: Math.ceil(RUNS / 4) },
    );
  });
});

type Framing = Parameters<typeof encodeFrame>[0];

/** Everything that comes back on one connection: after each text, a request that must have its answer. */
async function converse(
  framing: Framing,
  texts: readonly string[],
  cuts: Iterator<number>,
): Promise<unknown[]> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const connection = serveConnection({
    dispatcher: server.dispatcher,
    input: toServer,
    output: toClient,
    principal: LOCAL_PRINCIPAL,
    limits: { drainMs: 30_000 },
    onError: (error) => server.faults.push(error),
  });
  const hello = JSON.stringify({ jsonrpc: "2.0", id: "hello", method: "_cleveragents/health/check" });
  const probe = (n: number) =>
    JSON.stringify({ jsonrpc: "2.0", id: `probe-${n}`, method: "tasks/get", params: { id: "ghost" } });
  const frames = [hello, ...texts.flatMap((text, n) => [text, probe(n)])].map((text) =>
    encodeFrame(framing, text),
  );
  const bytes = Buffer.concat(frames);
  for (let at = 0; at < bytes.length; ) {
    const size = cuts.next().value as number;
    toServer.write(bytes.subarray(at, at + size));
    at += size;
  }
  const decoder = new FrameDecoder({ framing });
  const answers: unknown[] = [];
  let probes = 0;
  reading: for await (const chunk of toClient) {
    decoder.push(chunk as Uint8Array);
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
      const answer = JSON.parse(new TextDecoder().decode(frame)) as unknown;
      answers.push(answer);
      if (isProbe(answer) && ++probes === texts.length) break reading;
    }
  }
  await connection.close();
  return answers;
}

function isProbe(answer: unknown): answer is { readonly id: string } {
  const { id, error } = (answer ?? {}) as { id?: unknown; error?: { code?: unknown } };
  return typeof id === "string" && id.startsWith("probe-") && error?.code === -32001;
}
