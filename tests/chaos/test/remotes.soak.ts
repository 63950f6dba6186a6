import { FAIL_POINTS } from "@cleveragents/application";
import {
  checkTries,
  expectNone,
  Hand,
  type Kill,
  recordsOf,
  seedsOf,
  settle,
  unsound,
  withSeed,
} from "@cleveragents/testing/chaos";
import { expect, test } from "vitest";
import { CountingAgent, type Works } from "./counting-agent.ts";
import { openPlace } from "./run-story.ts";

const POINTS = Object.keys(FAIL_POINTS).filter((name) => name.startsWith("remote."));
const said = (state: string, text: string, id: string) => ({
  state: `TASK_STATE_${state}`,
  message: { messageId: id, role: "ROLE_AGENT", parts: [{ text }] },
});
const REVIEW = JSON.stringify({ passed: true, summary: "It greets.", findings: [] });

/** Asks for a name, writes a greeting, and reviews it afterwards in another task. */
const works: Works = (text, turn) => {
  if (text.includes("Review their changes")) return { status: said("COMPLETED", REVIEW, "review") };
  if (turn === 1) return { status: said("INPUT_REQUIRED", "Which name?", "question") };
  const parts = [{ text: `Hello ${text}\n`, filename: "hello.txt" }];
  return { status: said("COMPLETED", "Written.", "end"), artifacts: [{ artifactId: "a", parts }] };
};

async function tell(kills: readonly Kill[]) {
  await using agent = await CountingAgent.start(works);
  await using place = await openPlace([...kills]);
  const hand = new Hand(place);
  await hand.enlist(`name: far\ntype: a2a\ndescription: Works elsewhere\ncard: ${agent.url}\n`);
  await hand.furnish(
    "name: greet\ndescription: Greet\ndefinition_of_done: x\nexecution_actor: local/far\nreview_actor: local/far\nreview_mode: required\n",
  );
  const plan = await hand.begin("greet", "message-greet");
  await hand.answer(plan, "Ada");
  await hand.apply(plan);
  const problems = [...(await settle(place)), ...(await unsound(place))];
  const killed = place.owners.filter((owner) => owner.killed).length;
  problems.push(...recordsOf(place).flatMap((record) => checkTries(record, killed)));
  expectNone(place, problems);
  expect(String(await place.repository.read("hello.txt"))).toBe("Hello Ada\n");
  return { received: [...agent.received.values()], cancelled: agent.cancelled, diedAt: place.diedAt };
}

test.each(POINTS)(
  "owners that are killed at %s say nothing twice to an agent elsewhere",
  {
    timeout: 600_000,
  },
  async (point) => {
    const told = await tell([1, 2, 3].map(() => ({ at: `${point}:1` })));
    expect(told.diedAt).toEqual([point, point, point]);
    // The task, the answer to its question, and the review: each was received, and once.
    expect(told.received).toEqual([1, 1, 1]);
    expect(told.cancelled).toEqual([]);
  },
);

test.each(seedsOf({ env: process.env, seeds: [901, 902, 903] }))(
  "with seed %i, owners that are killed anywhere say nothing twice to an agent elsewhere",
  { timeout: 600_000 },
  (seed) =>
    withSeed(seed, async (random) => {
      const kills = Array.from({ length: 5 }, (): Kill => ({ at: `*:${random.int(1, 60)}` }));
      expect((await tell(kills)).received).toEqual([1, 1, 1]);
    }),
);
