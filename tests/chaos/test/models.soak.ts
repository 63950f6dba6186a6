import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkTries,
  expectNone,
  Hand,
  type Kill,
  pictureOf,
  recordsOf,
  seedsOf,
  settle,
  unsound,
  withSeed,
} from "@cleveragents/testing/chaos";
import { ModelServer, type ReceivedRequest, type ScriptedAnswer } from "@cleveragents/testing/model-server";
import { expect, test } from "vitest";
import { openPlace } from "./run-story.ts";

const KILLS = 5;
const RUNS = Math.ceil(Number(process.env["CHAOS_POINTS"] ?? "50") / KILLS);

const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args });
const echo = (n: number) => call("shell", { command: `echo ${n} >> effects.txt; echo said ${n}` });

/** What a model says in Strategize and in Execute, by how often it has spoken already in what it is told. */
const STRATEGY: readonly ScriptedAnswer[] = [
  { text: "I look.", calls: [call("list_files", {}), call("read_file", { path: "README.md" })] },
  {
    calls: [
      call("submit_strategy", {
        decisions: [
          { id: "way", question: "Which way?", choice: "left", confidence: 1, rationale: "It is near." },
        ],
        steps: ["Leave marks"],
      }),
    ],
  },
];
const EXECUTION: readonly ScriptedAnswer[] = [
  { text: "One and two.", calls: [echo(1), echo(2)] },
  { calls: [call("write_file", { path: "written.txt", content: "whole\n" }), echo(3)] },
  { text: "A mistake.", calls: [{ name: "write_file", arguments: '{"path": "broken' }] },
  { calls: [call("edit_file", { path: "src/greeting.txt", find: "world", replace: "models" }), echo(4)] },
  { text: "Five, and a look.", calls: [echo(5), call("read_file", { path: "effects.txt" })] },
  { text: "Every mark is there." },
];

function answer({ body }: ReceivedRequest): ScriptedAnswer | undefined {
  const spoken = (body["messages"] as { role: string }[]).filter(({ role }) => role === "assistant").length;
  const script = JSON.stringify(body["tools"]).includes("submit_strategy") ? STRATEGY : EXECUTION;
  const said = script[spoken];
  return said && { ...said, delay: 15 };
}

async function tell(kills: readonly Kill[]) {
  await using models = await ModelServer.start(answer);
  await using place = await openPlace([...kills]);
  const providers = `providers:\n  test: { kind: openai, base_url: "${models.openAiUrl}" }\n`;
  writeFileSync(join(place.dataDir, "providers.yaml"), providers);
  const hand = new Hand(place);
  const actor = "name: marker\ntype: llm\ndescription: Leaves marks\nmodel: test/model\n";
  await hand.enlist(actor);
  await hand.furnish(
    "name: marks\ndescription: Leave marks\ndefinition_of_done: marks\nexecution_actor: local/marker\nestimation_actor: builtin/history\n",
  );
  const plan = await hand.begin("marks", "message-marks");
  await hand.apply(plan);
  const problems = [...(await settle(place)), ...(await unsound(place))];
  const [record] = recordsOf(place);
  if (record === undefined) throw new Error("there is no plan");
  const killed = place.owners.filter((owner) => owner.killed).length;
  problems.push(...checkTries(record, killed));
  expectNone(place, problems);
  const { tree } = await pictureOf(place.repository);
  const document = record.document as {
    conversations: Record<
      string,
      { turns: { text: string; calls: { name: string; result?: { text: string } }[] }[] }
    >;
    modelUse: { role: string; calls: number }[];
  };
  return { tree, document, asked: models.requests.length, killed };
}

/** Once, since it takes as long as a run. */
let undisturbed: ReturnType<typeof tell> | undefined;

test.each(seedsOf({ env: process.env, seeds: Array.from({ length: RUNS }, (_, n) => 500 + n) }))(
  "with seed %i, a plan whose model is killed in the middle makes no recorded call again and loses no message",
  { timeout: 600_000 },
  (seed) =>
    withSeed(seed, async (random) => {
      undisturbed ??= tell([]);
      const expected = await undisturbed;
      const told = await tell(Array.from({ length: KILLS }, (): Kill => ({ at: `*:${random.int(1, 60)}` })));
      expect(told.tree).toEqual(expected.tree);
      expect(told.document.conversations).toMatchObject({
        strategy: { turns: expected.document.conversations["strategy"]?.turns },
        execution: { turns: expected.document.conversations["execution"]?.turns },
      });
      // Each answer is paid for once; what was cut off was asked again, and nothing else was.
      expect(told.document.modelUse.map(({ role, calls }) => [role, calls])).toEqual(
        expected.document.modelUse.map(({ role, calls }) => [role, calls]),
      );
      expect(told.asked).toBeLessThanOrEqual(expected.asked + told.killed);
    }),
);
