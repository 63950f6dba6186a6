import type { LoggedEvent } from "@cleveragents/domain";
import type { TaskStore } from "../ports/task-store.ts";

/** How long a follower waits for news before it looks for itself. */
const POLL_MS = 2000;
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
    const waiter = new Waiter();
    const leave = () => waiter.go();
    // Once for all of its waits: with a thousand followers, what each wait costs is most of what an event costs.
    signal.addEventListener("abort", leave);
    let cursor = after;
    try {
      while (!signal.aborted) {
        const { wakes } = feed;
        const page = await feed.after(cursor);
        if (page.length > 0) {
          cursor = (page.at(-1) as LoggedEvent).seq;
          yield page;
        } else if (feed.wakes === wakes && !signal.aborted) await feed.wait(waiter);
      }
    } finally {
      signal.removeEventListener("abort", leave);
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

/** Somebody who may be waiting. */
class Waiter {
  go: () => void = () => undefined;
}

class Feed {
  followers = 0;
  /** How often it was told of news: who has read since waits only if the number is still the same. */
  wakes = 0;
  readonly #store: TaskStore;
  readonly #taskId: string;
  readonly #stopWatching: () => void;
  readonly #poll: ReturnType<typeof setInterval>;
  /** The newest events that were read, without gaps; the first one's sequence is `#first`. */
  #tip: LoggedEvent[] = [];
  #first: number;
  #reading: Promise<void> | undefined;
  readonly #waiting = new Set<Waiter>();

  constructor(store: TaskStore, taskId: string, after: number) {
    this.#store = store;
    this.#taskId = taskId;
    this.#first = after + 1;
    this.#stopWatching = store.watch(taskId, () => {
      this.wakes++;
      this.#wake();
    });
    this.#poll = setInterval(() => this.#wake(), POLL_MS);
  }

  /**
   * Until the next news, or until the next poll. Each wait has a promise of its own: one that is shared and rarely
   * resolves would keep what every poll of every follower has hung on it.
   */
  async wait(waiter: Waiter): Promise<void> {
    await new Promise<void>((resolve) => {
      waiter.go = resolve;
      this.#waiting.add(waiter);
    });
    this.#waiting.delete(waiter);
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
    clearInterval(this.#poll);
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const { go } of waiting) go();
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
}
