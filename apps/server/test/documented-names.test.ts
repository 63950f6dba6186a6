import { PLATFORM_EXTENSION, resolveMethod, SCOPES } from "@cleveragents/protocol";
import type { ServerUnderTest } from "@cleveragents/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openServer } from "./in-memory-server.ts";

/** Names of the product's documents that were once answered by something made up. */
const NAMES = [
  ...["explain", "correct", "prompt", "rollback"].map((verb) => `_cleveragents/plan/${verb}`),
  ...["list", "show", "tell", "delete", "export", "import"].map((verb) => `_cleveragents/session/${verb}`),
  ...["list", "show", "members"].map((verb) => `_cleveragents/namespace/${verb}`),
  ...["pull", "push", "status", "full"].map((verb) => `_cleveragents/sync/${verb}`),
  "plan.correct",
  "diagnostics.run",
  "fs/read_text_file",
  "fs/write_text_file",
  "terminal/create",
];

let server: ServerUnderTest;
let advertised: unknown;
beforeAll(async () => {
  server = await openServer({});
  const card = (await call("GetExtendedAgentCard")) as {
    result: { capabilities: { extensions: { uri: string; params?: { methods?: string[] } }[] } };
  };
  advertised = card.result.capabilities.extensions.find(({ uri }) => uri === PLATFORM_EXTENSION)?.params
    ?.methods;
});
afterAll(() => server[Symbol.asyncDispose]());

async function call(method: string): Promise<unknown> {
  const answer = await server.dispatcher.dispatch(
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} }),
    {
      principal: { id: "tester", scopes: SCOPES },
      serviceParameters: { "a2a-version": "1.0" },
      binding: "in-process",
      signal: AbortSignal.timeout(10_000),
    },
  );
  return answer.kind === "one" ? answer.response : undefined;
}

test.each(NAMES)("%s is served, or is method not found", async (name) => {
  const served = resolveMethod(name);
  if (served === undefined) {
    expect(await call(name)).toMatchObject({ error: { code: -32601 } });
    expect(advertised).not.toContain(name);
  } else {
    expect(await call(name)).not.toMatchObject({ error: { code: -32601 } });
    expect(advertised).toContain(served);
  }
});
