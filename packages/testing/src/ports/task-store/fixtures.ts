import type { Command, NewTask, TaskStore } from "@cleveragents/application";
import type { JsonObject, LoggedEvent, Message, TaskEvent, TaskState } from "@cleveragents/domain";
import { ErrorLog, type OpenStore, StandingClock } from "../store-harness.ts";

export type OpenTaskStore = OpenStore<TaskStore>;

export type NewEvent = NonNullable<Command["events"]>[number];

export async function opened(open: OpenTaskStore) {
  const clock = new StandingClock();
  const logger = new ErrorLog();
  const harness = await open({ clock, logger });
  const { store, many = 100_000 } = harness;
  return { store, many, clock, logger, [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose]() };
}

export const aTask: NewTask = { contextId: "context", principal: "anna", kind: "plan" };

export async function create(store: TaskStore, taskId: string, task: Partial<NewTask> = {}): Promise<void> {
  await store.commit({ taskId, create: { ...aTask, ...task } });
}

export function message(text: string, role: Message["role"] = "agent"): Message {
  return { messageId: `message ${text}`, role, parts: [{ kind: "text", text }] };
}

export function status(state: TaskState, said?: string, received?: string): TaskEvent {
  return {
    type: "status",
    state,
    ...(said !== undefined && { message: message(said) }),
    ...(received !== undefined && { received: message(received, "user") }),
  };
}

export function chunk(artifactId: string, text: string, append = true): TaskEvent {
  return {
    type: "artifact",
    artifact: { artifactId, parts: [{ kind: "text", text }] },
    append,
    lastChunk: false,
  };
}

/** Events with the keys `prefix`1, `prefix`2 … */
export function keyed(prefix: string, ...events: readonly TaskEvent[]): readonly NewEvent[] {
  return events.map((event, i) => ({ key: `${prefix}${i + 1}`, event }));
}

/** The whole log, read in pages. */
export async function logOf(
  store: TaskStore,
  taskId: string,
  limit?: number,
): Promise<readonly LoggedEvent[]> {
  const log: LoggedEvent[] = [];
  for (;;) {
    const page = await store.events(taskId, log.at(-1)?.seq ?? 0, limit);
    if (page.length === 0) return log;
    log.push(...page);
  }
}

export async function keysOf(store: TaskStore, taskId: string): Promise<readonly string[]> {
  return (await logOf(store, taskId)).map(({ key }) => key);
}

/** The texts of an artifact's parts. */
export async function textsOf(store: TaskStore, taskId: string): Promise<Record<string, readonly string[]>> {
  const artifacts = (await store.snapshot(taskId, { artifacts: true }))?.artifacts ?? [];
  return Object.fromEntries(
    artifacts.map(({ artifactId, parts }) => [
      artifactId,
      parts.map((part) => (part.kind === "text" ? part.text : part.kind)),
    ]),
  );
}

export function entry(key: string, body: JsonObject = { of: key }) {
  return { key, body };
}

export function counted(length: number): readonly number[] {
  return Array.from({ length }, (_, i) => i + 1);
}
