import type { EventStream } from "./event-stream.ts";

/** The streams of a server, so that it can end them when it stops. */
export class OpenStreams {
  readonly #streams = new Set<EventStream>();
  #stopping = false;

  get size(): number {
    return this.#streams.size;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Counts a stream while it is served; one that begins after the end is stopped at once. */
  async during<T>(stream: EventStream, serving: () => Promise<T>): Promise<T> {
    this.#streams.add(stream);
    try {
      const served = serving();
      if (this.#stopping) stream.stop();
      return await served;
    } finally {
      this.#streams.delete(stream);
    }
  }

  stopAll(): void {
    this.#stopping = true;
    for (const stream of this.#streams) stream.stop();
  }
}
