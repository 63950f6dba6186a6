import type { Command, TaskSnapshot, TaskStore } from "@cleveragents/application";
import {
  type Artifact,
  isTerminal,
  type LoggedEvent,
  type Message,
  type TaskState,
} from "@cleveragents/domain";
import { expect, it } from "vitest";
import { forAnyCommands } from "./any-commands.ts";
import { aTask, logOf, type OpenTaskStore, opened } from "./fixtures.ts";

const REFUSALS = [
  "FencedError",
  "TaskStateError",
  "InboxConflictError",
  "TaskNotFoundError",
  "TaskExistsError",
];

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
    await forAnyCommands(async (commands) => {
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
    }, 100);
  });
}
