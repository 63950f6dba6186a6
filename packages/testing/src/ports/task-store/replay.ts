import type { Command, TaskSnapshot, TaskStore } from "@cleveragents/application";
import {
  type Artifact,
  isTerminal,
  type LoggedEvent,
  type Message,
  type Part,
  TASK_STATES,
  type TaskEvent,
  type TaskState,
} from "@cleveragents/domain";
import fc from "fast-check";
import { expect, it } from "vitest";
import { aTask, logOf, message, type OpenTaskStore, opened } from "./fixtures.ts";

const REFUSALS = [
  "FencedError",
  "TaskStateError",
  "InboxConflictError",
  "TaskNotFoundError",
  "TaskExistsError",
];

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

/** What a log says, told by nothing but its events, in order. */
function fold(taskId: string, log: readonly LoggedEvent[]) {
  let state: TaskState = "submitted";
  let statusMessage: Message | null = null;
  const history: Message[] = [];
  const artifacts = new Map<string, Artifact>();
  for (const { event: e } of log) {
    expect(isTerminal(state), `an event of ${taskId} after its end`).toBe(false);
    if (e.type === "status") {
      state = e.state;
      statusMessage = e.message ?? null;
      history.push(...[e.received, e.message].filter((m) => m !== undefined));
    } else {
      const { artifactId, parts } = e.artifact;
      const there = e.append ? (artifacts.get(artifactId)?.parts ?? []) : [];
      artifacts.set(artifactId, { artifactId, parts: [...there, ...parts] });
    }
  }
  return { state, statusMessage, lastSeq: log.length, history, artifacts: [...artifacts.values()] };
}

function told(snapshot: TaskSnapshot | undefined) {
  const { row, history, artifacts } = snapshot ?? {};
  return { state: row?.state, statusMessage: row?.statusMessage, lastSeq: row?.lastSeq, history, artifacts };
}

/** Carries a run's commands out, in groups as they come, and answers how many events each task was said to have taken. */
async function carryOut(store: TaskStore, run: number, groups: readonly (readonly Command[])[]) {
  const appended = new Map<string, number>();
  for (const group of groups) {
    await Promise.all(
      group.map(async ({ taskId, ...rest }) => {
        const id = `${run}.${taskId}`;
        try {
          const committed = await store.commit({ taskId: id, ...rest });
          appended.set(id, (appended.get(id) ?? 0) + committed.appended);
        } catch (error) {
          expect(REFUSALS, String(error)).toContain((error as Error).name);
        }
      }),
    );
  }
  return appended;
}

export function replayTests(open: OpenTaskStore): void {
  it("row, history and artifacts are what the log says, whatever the commands were", async () => {
    await using t = await opened(open);
    let run = 0;
    const groups = fc.array(fc.array(command, { minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(groups, async (commands) => {
        run += 1;
        for (const taskId of ["a", "b"]) await t.store.commit({ taskId: `${run}.${taskId}`, create: aTask });
        const appended = await carryOut(t.store, run, commands);
        for (const taskId of [`${run}.a`, `${run}.b`]) {
          const log = await logOf(t.store, taskId, 7);
          expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i + 1));
          expect(new Set(log.map(({ key }) => key)).size).toBe(log.length);
          expect(appended.get(taskId) ?? 0).toBe(log.length);
          expect(told(await t.store.snapshot(taskId, { artifacts: true }))).toEqual(fold(taskId, log));
        }
      }),
      { numRuns: 100 },
    );
  });
}
