import type { LoggedEvent } from "@cleveragents/domain";
import { A2aEvent, TASK_ARTIFACT_UPDATE, TASK_STATUS_UPDATE } from "@cleveragents/protocol";
import { EventFeed } from "../log/event-feed.ts";
import type { FeedPosition, TaskStore } from "../ports/task-store.ts";
import { raceWithTimer } from "../services/waiting.ts";
import { iso } from "../wire/task.ts";
import type { A2aEventQueue } from "./event-queue.ts";

/** Domain events that the documents show as artifact updates although nothing but a status is logged. */
const AS_ARTIFACT: ReadonlySet<string> = new Set(["checkpoint.restored"]);

/** Shows the log in an event queue: every entry that is logged after `start`, in the order of its task, once. */
export class EventBusBridge {
  readonly #feed: EventFeed;
  readonly #queue: A2aEventQueue;
  #running: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  constructor(deps: { readonly store: Pick<TaskStore, "feed" | "watch">; readonly queue: A2aEventQueue }) {
    this.#feed = new EventFeed(deps.store);
    this.#queue = deps.queue;
  }

  start(): void {
    if (this.#running !== undefined) return;
    const stop = new AbortController();
    this.#running = { stop, done: this.#forward(this.#feed.now(), stop.signal) };
  }

  /** Nothing is forwarded after it has resolved. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.stop.abort();
    await running?.done;
  }

  /** What the store cannot tell at the moment is asked for again, from where it was. */
  async #forward(start: Promise<FeedPosition>, signal: AbortSignal): Promise<void> {
    for (let at: FeedPosition | undefined; !signal.aborted; ) {
      try {
        at ??= await start.catch(() => this.#feed.now());
        for await (const page of this.#feed.follow(at, { principal: null }, signal)) {
          for (const { logged, position } of page) {
            if (signal.aborted) return;
            this.#queue.publish(toA2aEvent(logged));
            at = position;
          }
        }
      } catch {
        await raceWithTimer(Promise.withResolvers<void>().promise, signal);
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
