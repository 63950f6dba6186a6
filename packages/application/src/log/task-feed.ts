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
        const { wakes } = feed;
        const page = await feed.after(cursor);
        if (page.length > 0) {
          cursor = (page.at(-1) as LoggedEvent).seq;
          yield page;
        } else if (feed.wakes === wakes) await feed.wait(signal);
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
  /** How often it was told of news: who has read since waits only if the number is still the same. */
  wakes = 0;
  readonly #store: TaskStore;
  readonly #taskId: string;
  readonly #stopWatching: () => void;
  /** The newest events that were read, without gaps; the first one's sequence is `#first`. */
  #tip: LoggedEvent[] = [];
  #first: number;
  #reading: Promise<void> | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(store: TaskStore, taskId: string, after: number) {
    this.#store = store;
    this.#taskId = taskId;
    this.#first = after + 1;
    this.#stopWatching = store.watch(taskId, () => {
      this.wakes++;
      for (const go of [...this.#waiting]) go();
    });
  }

  /**
   * Until the next news, or for as long as one poll. Each wait has a promise of its own: one that is shared and rarely
   * resolves would keep what every poll of every follower has hung on it.
   */
  async wait(signal: AbortSignal): Promise<void> {
    const news = Promise.withResolvers<void>();
    this.#waiting.add(news.resolve);
    try {
      await raceWithTimer(news.promise, signal);
    } finally {
      this.#waiting.delete(news.resolve);
    }
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
}
