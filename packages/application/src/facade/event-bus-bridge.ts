import type { LoggedEvent } from "@cleveragents/domain";
import { A2aEvent, TASK_ARTIFACT_UPDATE, TASK_STATUS_UPDATE } from "@cleveragents/protocol";
import type { TaskStore } from "../ports/task-store.ts";
import { iso } from "../wire/task.ts";
import type { A2aEventQueue } from "./event-queue.ts";

/** Domain events that the documents show as artifact updates although nothing but a status is logged. */
const AS_ARTIFACT: ReadonlySet<string> = new Set(["checkpoint.restored"]);

/** Shows the log in an event queue: every entry that is logged after `start`, in the order of its task, once. */
export class EventBusBridge {
  readonly #store: TaskStore;
  readonly #queue: A2aEventQueue;
  readonly #seen = new Map<string, number>();
  #stop: (() => void) | undefined;
  #tail: Promise<void> = Promise.resolve();

  constructor(deps: { readonly store: TaskStore; readonly queue: A2aEventQueue }) {
    this.#store = deps.store;
    this.#queue = deps.queue;
  }

  start(): void {
    if (this.#stop !== undefined) return;
    this.#tail = this.#tail.then(() => this.#skipOld()).catch(() => undefined);
    this.#stop = this.#store.watch(undefined, (taskId, lastSeq) => {
      this.#tail = this.#tail.then(() => this.#forward(taskId, lastSeq)).catch(() => undefined);
    });
  }

  /** Nothing is forwarded after it has resolved. */
  async stop(): Promise<void> {
    this.#stop?.();
    this.#stop = undefined;
    await this.#tail;
  }

  /** What tasks that are older than this bridge have logged so far is not news; those that are over log no more. */
  async #skipOld(): Promise<void> {
    const rows = await Promise.all([this.#store.unfinished("plan"), this.#store.unfinished("message")]);
    for (const { taskId, lastSeq } of rows.flat()) this.#seen.set(taskId, lastSeq);
  }

  async #forward(taskId: string, lastSeq: number): Promise<void> {
    for (let from = this.#seen.get(taskId) ?? 0; from < lastSeq; from = this.#seen.get(taskId) ?? lastSeq) {
      const page = await this.#store.events(taskId, from);
      if (page.length === 0) return;
      for (const logged of page) {
        if (this.#stop === undefined) return;
        this.#seen.set(taskId, logged.seq);
        this.#queue.publish(toA2aEvent(logged));
      }
    }
  }
}

/** The documents' view of a log entry: flat `state` and `phase` beside what the domain event says. */
export function toA2aEvent(logged: LoggedEvent): A2aEvent {
  const { event, taskId, at, seq } = logged;
  const name = event.domain?.name ?? "";
  const data = { task_id: taskId, seq, event: name, ...event.domain?.data };
  const frame = { plan_id: taskId, timestamp: iso(at), event_id: `${taskId}:${seq}` };
  if (event.type === "artifact") {
    const { artifactId, parts } = event.artifact;
    return new A2aEvent({
      ...frame,
      event_type: TASK_ARTIFACT_UPDATE,
      data: { ...data, artifact_id: artifactId, parts: parts.length, append: event.append },
    });
  }
  if (AS_ARTIFACT.has(name)) return new A2aEvent({ ...frame, event_type: TASK_ARTIFACT_UPDATE, data });
  return new A2aEvent({ ...frame, event_type: TASK_STATUS_UPDATE, data: { ...data, state: event.state } });
}
