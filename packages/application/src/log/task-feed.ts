import type { LoggedEvent } from "@cleveragents/domain";
import type { TaskStore } from "../ports/task-store.ts";
import { raceWithTimer } from "../services/waiting.ts";

/** How many of a task's newest events are kept for those that follow at its tip. */
const KEPT = 1024;

/**
 * The tips of logs that somebody follows. However many follow one task, each new page is read once and each event is
 * one object for all of them; those that are further behind read pages of their own.
 */
export class TaskFeeds {
  readonly #store: TaskStore;
  readonly #feeds = new Map<string, Feed>();

  constructor(store: TaskStore) {
    this.#store = store;
  }

  /** Events after a cursor, page by page, without end; waits where there is none. Ends when the signal fires. */
  async *follow(taskId: string, after: number, signal: AbortSignal): AsyncGenerator<readonly LoggedEvent[]> {
    const feed = this.#open(taskId, after);
    let cursor = after;
    try {
      while (!signal.aborted) {
        const woken = feed.nextWake();
        const page = await feed.after(cursor);
        if (page.length > 0) {
          cursor = (page.at(-1) as LoggedEvent).seq;
          yield page;
        } else await raceWithTimer(woken, signal);
      }
    } finally {
      feed.followers--;
      if (feed.followers === 0) {
        feed.close();
        this.#feeds.delete(taskId);
      }
    }
  }

  #open(taskId: string, after: number): Feed {
    let feed = this.#feeds.get(taskId);
    if (feed === undefined) {
      feed = new Feed(this.#store, taskId, after);
      this.#feeds.set(taskId, feed);
    }
    feed.followers++;
    return feed;
  }
}

class Feed {
  followers = 0;
  readonly #store: TaskStore;
  readonly #taskId: string;
  readonly #stopWatching: () => void;
  /** The newest events that were read, without gaps; the first one's sequence is `#first`. */
  #tip: LoggedEvent[] = [];
  #first: number;
  #reading: Promise<void> | undefined;
  #wake: Promise<void>;
  #fire: () => void = () => undefined;

  constructor(store: TaskStore, taskId: string, after: number) {
    this.#store = store;
    this.#taskId = taskId;
    this.#first = after + 1;
    this.#wake = this.#arm();
    this.#stopWatching = store.watch(taskId, () => {
      const fire = this.#fire;
      this.#wake = this.#arm();
      fire();
    });
  }

  /** Resolves at the next commit after this call. */
  nextWake(): Promise<void> {
    return this.#wake;
  }

  async after(cursor: number): Promise<readonly LoggedEvent[]> {
    if (cursor < this.#first - 1) return this.#store.events(this.#taskId, cursor);
    const at = cursor - this.#first + 1;
    if (at < this.#tip.length) return this.#tip.slice(at);
    if (at > this.#tip.length) return this.#store.events(this.#taskId, cursor);
    this.#reading ??= this.#readOn().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
    const now = cursor - this.#first + 1;
    return now < 0 ? this.#store.events(this.#taskId, cursor) : this.#tip.slice(now);
  }

  close(): void {
    this.#stopWatching();
  }

  async #readOn(): Promise<void> {
    const page = await this.#store.events(this.#taskId, this.#first + this.#tip.length - 1);
    this.#tip.push(...page);
    const surplus = this.#tip.length - KEPT;
    if (surplus > 0) {
      this.#tip = this.#tip.slice(surplus);
      this.#first += surplus;
    }
  }

  #arm(): Promise<void> {
    return new Promise((resolve) => {
      this.#fire = resolve;
    });
  }
}
