import type { FedEvent, FeedFilter, FeedPage, FeedPosition, TaskStore } from "../ports/task-store.ts";
import { raceWithTimer } from "../services/waiting.ts";

/** What is not settled is looked at again after this; a transaction takes no longer, as a rule. */
const SOON_MS = 25;

/**
 * The events of all tasks, for those who follow many. Followers at the same place who want the same share one read;
 * the store is watched while there is anybody.
 */
export class EventFeed {
  readonly #store: Pick<TaskStore, "feed" | "watch">;
  readonly #reading = new Map<string, Promise<FeedPage>>();
  readonly #waiting = new Set<() => void>();
  #followers = 0;
  #stopWatching: (() => void) | undefined;
  /** How often it was told of news: who has read since waits only if the number is still the same. */
  #wakes = 0;

  constructor(store: Pick<TaskStore, "feed" | "watch">) {
    this.#store = store;
  }

  /** The place after everything that there is. */
  async now(): Promise<FeedPosition> {
    return (await this.#store.feed("now", { principal: null })).next;
  }

  /** Events after a position, page by page, without end; waits where there is none. Ends when the signal fires. */
  async *follow(
    after: FeedPosition,
    filter: FeedFilter,
    signal: AbortSignal,
  ): AsyncGenerator<readonly FedEvent[]> {
    this.#begin();
    try {
      for (let at = after; !signal.aborted; ) {
        const wakes = this.#wakes;
        const page = await this.#read(at, filter);
        at = page.next;
        if (page.events.length > 0) yield page.events;
        if (page.ahead === "soon") await this.#wait(signal, SOON_MS);
        else if (page.ahead === "nothing" && this.#wakes === wakes) await this.#wait(signal);
      }
    } finally {
      this.#end();
    }
  }

  #begin(): void {
    this.#followers++;
    this.#stopWatching ??= this.#store.watch(undefined, () => {
      this.#wakes++;
      for (const go of [...this.#waiting]) go();
    });
  }

  #end(): void {
    this.#followers--;
    if (this.#followers > 0) return;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #read(at: FeedPosition, filter: FeedFilter): Promise<FeedPage> {
    const key = JSON.stringify([at.at, at.taskId, at.seq, filter.principal, filter.contextId ?? null]);
    let reading = this.#reading.get(key);
    if (reading === undefined) {
      reading = this.#store.feed(at, filter).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  async #wait(signal: AbortSignal, ms?: number): Promise<void> {
    const news = Promise.withResolvers<void>();
    this.#waiting.add(news.resolve);
    try {
      await raceWithTimer(news.promise, signal, ms);
    } finally {
      this.#waiting.delete(news.resolve);
    }
  }
}
