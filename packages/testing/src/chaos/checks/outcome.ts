import { isDeepStrictEqual } from "node:util";
import type { Plan } from "@cleveragents/domain";
import type { TaskRecord } from "../task-record.ts";

/** What must be the same whether a plan was interrupted or not. */
export interface Outcome {
  readonly state: string;
  readonly stage: string;
  readonly attempt: number;
  readonly digest: string | undefined;
  readonly steps: readonly string[];
  readonly decisions: readonly string[];
  readonly results: unknown;
  readonly story: readonly string[];
}

/** Of a plan's record. What differs from run to run (ids, times, durations) and what tells of interruptions is left out. */
export function outcomeOf(record: TaskRecord): Outcome {
  const plan = record.document as unknown as Plan; // the store holds no other document for a plan
  return {
    state: record.state,
    stage: `${plan.stage.phase}/${plan.stage.state}`,
    attempt: plan.attempt,
    digest: plan.changeset?.digest,
    steps: plan.steps.map(({ index, kind, status, label }) => `${index} ${kind} ${status} ${label}`),
    decisions: plan.decisions.map(({ label, chosen }) => `${label ?? "root"}: ${chosen}`),
    results: JSON.parse(JSON.stringify(plan.results, (key, value) => (/duration/i.test(key) ? 0 : value))),
    story: storyOf(record),
  };
}

/** The log in the words of the domain, as if nothing had been tried again. */
function storyOf({ events }: TaskRecord): readonly string[] {
  return events.flatMap(({ key, event }) => {
    const { name, data } = event.domain ?? { name: event.type };
    // Output comes in pieces as time has it; what it adds up to is the artifacts' check.
    // So does word of children: which of them is the first is not what it comes to.
    if (/^plan\.child_(started|completed|waiting)$/.test(name ?? "")) return [];
    if (name === "tool.output" || name === "checkpoint.restored" || /:try:([2-9]|\d\d+):/.test(key))
      return [];
    const step = data?.["index"] ?? data?.["label"] ?? "";
    const stage = data?.["phase"] === undefined ? "" : `${data["phase"]}/${data["state"]}`;
    return [`${name} ${step}${stage}`];
  });
}

export function checkOutcome(record: TaskRecord, expected: Outcome): readonly string[] {
  const actual = outcomeOf(record);
  return (Object.keys(expected) as (keyof Outcome)[]).flatMap((key) =>
    isDeepStrictEqual(actual[key], expected[key])
      ? []
      : [
          `plan ${record.taskId}: its ${key} is ${JSON.stringify(actual[key])}; uninterrupted it is ${JSON.stringify(expected[key])}`,
        ],
  );
}

/**
 * Tries of a step count from 1 without a gap within an attempt, each but the first after the sandbox was put back, and
 * there are not more of them than interruptions.
 */
export function checkTries(record: TaskRecord, interruptions: number): readonly string[] {
  const problems: string[] = [];
  const last = new Map<string, number>();
  let again = 0;
  for (const { key } of record.events) {
    const [, attempt, step, tried] = /^a(\d+):step:(\d+):try:(\d+):started$/.exec(key) ?? [];
    if (tried === undefined) continue;
    const of = `attempt ${attempt}, step ${step}`;
    const expected = (last.get(of) ?? 0) + 1;
    if (Number(tried) !== expected)
      problems.push(`plan ${record.taskId}, ${of}: try ${tried} comes where try ${expected} is due`);
    if (expected > 1) again++;
    last.set(of, Number(tried));
  }
  if (again > interruptions)
    problems.push(`plan ${record.taskId}: ${again} tries again for ${interruptions} interruptions`);
  return problems;
}
