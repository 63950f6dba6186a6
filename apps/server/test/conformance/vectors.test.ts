import { readdirSync, readFileSync } from "node:fs";
import { SseDecoder } from "@cleveragents/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ScriptedServer, serveScripted } from "./serve-scripted.ts";
import { differences, filled, type Known } from "./vector-match.ts";

interface Vector {
  readonly says: string;
  readonly send: {
    readonly verb?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    /** In place of a body that is JSON. */
    readonly text?: string;
  };
  readonly answer: {
    readonly status: number;
    /** The media type, without parameters. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly events?: readonly unknown[];
  };
}

interface VectorFile {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In this order: later ones speak of the tasks of earlier ones. */
  readonly vectors: readonly Vector[];
}

const directory = new URL("vectors/", import.meta.url);
const files = readdirSync(directory).map((name) => [name.replace(/\.json$/, ""), readFile(name)] as const);

function readFile(name: string): VectorFile {
  return JSON.parse(readFileSync(new URL(name, directory), "utf8")) as VectorFile;
}

/** Requests and answers as the specifications say them, written from their text. */
describe.each(files)("%s", (_name, file) => {
  const known: Known = new Map();
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await serveScripted();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  test.each(file.vectors.map((vector) => [vector.says, vector] as const))("%s", async (_says, vector) => {
    const { verb = "POST", path = "", headers, body, text } = filled(vector.send, known);
    const response = await fetch(`${server.url}${file.path}${path}`, {
      method: verb,
      headers: { ...file.headers, ...headers },
      ...(text !== undefined ? { body: text } : body !== undefined ? { body: JSON.stringify(body) } : {}),
    });
    const { answer } = vector;
    const mediaType = response.headers.get("content-type")?.split(";")[0];
    const received = await response.text();
    expect([response.status, received.slice(0, 300)]).toEqual([answer.status, expect.anything()]);
    const type = answer.headers?.["content-type"];
    if (type !== undefined) expect(mediaType).toBe(type);
    if (answer.events !== undefined) {
      const events = new SseDecoder().push(Buffer.from(received)).filter(({ data }) => data !== "");
      const got = events.map(({ data }) => JSON.parse(data) as unknown);
      expect(differences(answer.events, got, known)).toEqual([]);
    } else if (answer.body === undefined) expect(received).toBe("");
    else expect(differences(answer.body, JSON.parse(received), known)).toEqual([]);
  });
});
