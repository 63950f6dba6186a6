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

/** A question, two branches, a circle, and models with and without tools. Whoever runs a command leaves a line behind. */
const GRAPH = `
name: marker
type: graph
description: Leaves marks
model: test/model
entry_node: begin
nodes:
  begin: { type: ask, question: Which?, options: [one, two], output: pick }
  left: { type: tool, tool: builtin/shell, arguments: { command: "echo left {{ vars.pick }} >> effects.txt; echo left" } }
  right: { type: llm, tools: ["builtin/*"], prompt: "RIGHT" }
  round: { type: tool, tool: builtin/shell, max_visits: 4, arguments: { command: "echo round {{ nodes.round.visits }} >> effects.txt; echo r{{ nodes.round.visits }}" } }
  again: { type: conditional, conditions: [{ check: nodes.round.visits < 3, route_to: round }], default: say }
  say: { type: llm, prompt: "SAY {{ nodes.right.text }}" }
edges:
  - { from: begin, to: [left, right] }
  - { from: [left, right], to: round }
  - { from: round, to: again }
`;
const EFFECTS = "left two\nright\nround 0\nround 1\nround 2\n";

const shell = { name: "shell", arguments: { command: "echo right >> effects.txt; echo right" } };

function answer({ body }: ReceivedRequest): ScriptedAnswer {
  const messages = body["messages"] as { role: string }[];
  if (JSON.stringify(messages).includes("SAY ")) return { text: "Said.", delay: 15 };
  const spoken = messages.some(({ role }) => role === "assistant");
  return spoken ? { text: "It is done.", delay: 15 } : { text: "I leave one.", calls: [shell], delay: 15 };
}

async function tell(kills: readonly Kill[]) {
  await using models = await ModelServer.start(answer);
  await using place = await openPlace([...kills]);
  const providers = `providers:\n  test: { kind: openai, base_url: "${models.openAiUrl}" }\n`;
  writeFileSync(join(place.dataDir, "providers.yaml"), providers);
  const hand = new Hand(place);
  await hand.enlist(GRAPH);
  await hand.furnish(
    "name: marks\ndescription: Leave marks\ndefinition_of_done: marks\nexecution_actor: local/marker\n",
  );
  const plan = await hand.begin("marks", "message-marks");
  await hand.answer(plan, "option-2");
  await hand.apply(plan);
  const problems = [...(await settle(place)), ...(await unsound(place))];
  const [record] = recordsOf(place);
  if (record === undefined) throw new Error("there is no plan");
  const killed = place.owners.filter((owner) => owner.killed).length;
  problems.push(...checkTries(record, killed));
  expectNone(place, problems);
  const { tree } = await pictureOf(place.repository);
  const document = record.document as {
    steps: { label: string; status: string }[];
    modelUse: { calls: number }[];
  };
  return {
    tree,
    effects: String(await place.repository.read("effects.txt")),
    steps: document.steps.map(({ label, status }) => `${label}: ${status}`),
    uses: document.modelUse.map(({ calls }) => calls),
    asked: models.requests.length,
    killed,
  };
}

/** Once, since it takes as long as a run. */
let undisturbed: ReturnType<typeof tell> | undefined;

test.each(seedsOf({ env: process.env, seeds: Array.from({ length: RUNS }, (_, n) => 700 + n) }))(
  "with seed %i, a plan whose graph is killed in the middle makes no recorded call again",
  { timeout: 600_000 },
  (seed) =>
    withSeed(seed, async (random) => {
      undisturbed ??= tell([]);
      const expected = await undisturbed;
      expect(expected.effects).toBe(EFFECTS);
      const told = await tell(Array.from({ length: KILLS }, (): Kill => ({ at: `*:${random.int(1, 60)}` })));
      expect(told.effects).toBe(EFFECTS);
      expect(told.tree).toEqual(expected.tree);
      expect(told.steps).toEqual(expected.steps);
      // Each answer is paid for once; what was cut off was asked again, and nothing else was.
      expect(told.uses).toEqual(expected.uses);
      expect(told.asked).toBeLessThanOrEqual(expected.asked + told.killed);
    }),
);
