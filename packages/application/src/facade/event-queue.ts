import type { A2aEvent } from "@cleveragents/protocol";

const KEPT = 1000;

/**
 * Events in process. Subscribers are called in the order of their subscription, with the list as it was when the event
 * came; one that throws stops none of the others, and what one publishes comes after what is being published. The newest
 * 1,000 events are kept for `getEvents`.
 */
export class A2aEventQueue {
  readonly #subscribers = new Map<string, (event: A2aEvent) => void>();
  readonly #closers = new Set<() => void>();
  readonly #onError: (error: unknown) => void;
  readonly #waiting: A2aEvent[] = [];
  #events: A2aEvent[] = [];
  #publishing = false;
  #closed = false;
  #last = 0;

  constructor(deps: { readonly onError?: (error: unknown) => void } = {}) {
    this.#onError = deps.onError ?? (() => undefined);
  }

  /** After `close` it does nothing. */
  publish(event: A2aEvent): void {
    if (this.#closed) return;
    this.#events.push(event);
    if (this.#events.length > KEPT) this.#events = this.#events.slice(-KEPT);
    this.#waiting.push(event);
    if (this.#publishing) return;
    this.#publishing = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
        this.#tell(next);
    } finally {
      this.#publishing = false;
    }
  }

  #tell(event: A2aEvent): void {
    for (const subscriber of [...this.#subscribers.values()]) {
      try {
        subscriber(event);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  subscribeLocal(callback: (event: A2aEvent) => void): string {
    const id = `sub_${++this.#last}`;
    if (!this.#closed) this.#subscribers.set(id, callback);
    return id;
  }

  /** Events from now on, of one plan if named, until `close` or until the iterator is left. Holds at most 1,000 unread. */
  async *subscribe(planId?: string): AsyncGenerator<A2aEvent> {
    const unread: A2aEvent[] = [];
    let wake: () => void = () => undefined;
    const id = this.subscribeLocal((event) => {
      if (planId !== undefined && event.plan_id !== planId) return;
      unread.push(event);
      if (unread.length > KEPT) unread.shift();
      wake();
    });
    const closer = () => wake();
    this.#closers.add(closer);
    try {
      for (;;) {
        const event = unread.shift();
        if (event !== undefined) yield event;
        else if (this.#closed) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      this.unsubscribe(id);
      this.#closers.delete(closer);
    }
  }

  /** The newest events, oldest first. */
  getEvents(limit = 100): readonly A2aEvent[] {
    return limit <= 0 ? [] : this.#events.slice(-limit);
  }

  /** Whether there was such a subscription. */
  unsubscribe(id: string): boolean {
    return this.#subscribers.delete(id);
  }

  /** Ends every subscription. Closing again changes nothing. */
  close(): void {
    this.#closed = true;
    this.#subscribers.clear();
    for (const closer of [...this.#closers]) closer();
  }
}
