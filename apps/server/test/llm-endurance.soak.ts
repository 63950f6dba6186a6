import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReceivedRequest, ScriptedAnswer } from "@cleveragents/testing/model-server";
import { expect, test } from "vitest";
import { atRest, openThinking } from "./llm-server.ts";

const call = (name: string, args: object) => ({ name, arguments: args as Record<string, unknown> });
const NOTHING: ScriptedAnswer = { calls: [call("submit_strategy", { decisions: [], steps: [] })] };

/** Says the same to every plan, by how often it has spoken in what it is told. */
function answers({ body }: ReceivedRequest): ScriptedAnswer {
  const spoken = (body["messages"] as { role: string }[]).filter(({ role }) => role === "assistant").length;
  if (JSON.stringify(body["tools"]).includes("submit_strategy")) return { ...NOTHING, delay: 10 };
  return spoken < 3
    ? {
        text: `Number ${spoken}.`,
        calls: [call("shell", { command: `echo x > f${spoken}; echo done` })],
        delay: 10,
      }
    : { text: "Done.", delay: 10 };
}

test("ten plans at once share a provider that takes two requests, and all of them end", {
  timeout: 300_000,
}, async () => {
  await using server = await openThinking(answers, { provider: "    max_concurrent: 2\n" });
  const plans = await Promise.all(Array.from({ length: 10 }, (_, n) => server.task(`Task ${n}`)));
  for (const plan of plans)
    expect(await atRest(server.client, plan)).toMatchObject({
      waiting_for: { kind: "apply" },
      changes: { files: 3 },
    });
  expect(server.models.load.most).toBe(2);
  expect(server.models.requests).toHaveLength(10 * 5);
  const used = await server.client.call("_cleveragents/usage/show", {});
  const { input, output } = server.models.used;
  expect(used.total).toMatchObject({ calls: 50, total_tokens: input + output });
});

test("what was recorded of a whole run is replayed byte for byte, without the server", {
  timeout: 120_000,
}, async () => {
  await using server = await openThinking(answers, { provider: "    cassette: tape.jsonl\n" });
  const first = await atRest(server.client, await server.task("Write"));
  const tape = await readFile(join(server.folder, "tape.jsonl"), "utf8");
  const asked = server.models.requests.length;
  await server.providers("  test: { kind: replay, cassette: tape.jsonl }\n");
  const again = await atRest(server.client, await server.task("Write"));
  expect(server.models.requests).toHaveLength(asked);
  expect(again.digest).toBe(first.digest);
  expect(again.steps).toEqual(first.steps);
  const { tokens, tool_calls } = first.budget?.used ?? {};
  expect(again.budget?.used).toMatchObject({ tokens, tool_calls });
  expect(await readFile(join(server.folder, "tape.jsonl"), "utf8")).toBe(tape);
});
