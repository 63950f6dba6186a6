import type { Command } from "@cleveragents/application";
import { type Part, TASK_STATES, type TaskEvent, type TaskState } from "@cleveragents/domain";
import fc from "fast-check";
import { message } from "./fixtures.ts";

const text = fc.constantFrom("one", "two", "three");
const event: fc.Arbitrary<TaskEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: status(fc.constantFrom<TaskState>("working", "input-required", "auth-required", "submitted")),
  },
  { weight: 1, arbitrary: status(fc.constantFrom(...TASK_STATES)) },
  {
    weight: 4,
    arbitrary: fc
      .record({
        artifactId: text,
        texts: fc.array(text, { maxLength: 3 }),
        append: fc.boolean(),
        lastChunk: fc.boolean(),
      })
      .map(({ artifactId, texts, append, lastChunk }) => {
        const parts: readonly Part[] = texts.map((t) => ({ kind: "text", text: t }));
        return { type: "artifact" as const, artifact: { artifactId, parts }, append, lastChunk };
      }),
  },
);

function status(state: fc.Arbitrary<TaskState>): fc.Arbitrary<TaskEvent> {
  return fc
    .record({ state, said: fc.option(text), heard: fc.option(text) })
    .map(({ said, heard, ...rest }) => ({
      type: "status" as const,
      ...rest,
      ...(said !== null && { message: message(said) }),
      ...(heard !== null && { received: message(heard, "user") }),
    }));
}

/** Commands of two tasks; keys are few, so that some are repeated, and expectations are often wrong. */
const command: fc.Arbitrary<Command> = fc.record(
  {
    taskId: fc.constantFrom("a", "b"),
    events: fc.array(fc.record({ key: fc.integer({ min: 1, max: 25 }).map(String), event }), {
      maxLength: 5,
    }),
    expect: fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      fc.record({ epoch: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ states: fc.subarray([...TASK_STATES]) }),
    ),
    bumpEpoch: fc.boolean(),
    inbox: fc.record({
      add: fc.array(fc.record({ key: text, body: fc.record({ n: fc.integer({ min: 1, max: 2 }) }) }), {
        maxLength: 2,
      }),
    }),
  },
  { requiredKeys: ["taskId"] },
);

/**
 * Gives any commands of the tasks `a` and `b`, in groups that are handed in at once, again and again; what fails is made
 * smaller until it is the least that fails.
 */
export async function forAnyCommands(
  check: (groups: readonly (readonly Command[])[]) => Promise<void>,
  numRuns: number,
): Promise<void> {
  const groups = fc.array(fc.array(command, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
  await fc.assert(fc.asyncProperty(groups, check), { numRuns });
}
