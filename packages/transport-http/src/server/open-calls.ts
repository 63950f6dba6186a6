import type { ServerResponse } from "node:http";
import type { EventStream } from "./event-stream.ts";

/** The calls that a server is answering and the streams among them, so that it can end in good order. */
export class OpenCalls {
  readonly #streams = new Set<EventStream>();
  readonly #responses = new Set<ServerResponse>();
  readonly #quiet = Promise.withResolvers<void>();
  #stopping = false;

  get streams(): number {
    return this.#streams.size;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** A call is open until the last byte of its answer has left, or its connection. */
  begin(response: ServerResponse): void {
    this.#responses.add(response);
  }

  end(response: ServerResponse): void {
    this.#responses.delete(response);
    if (this.#stopping && this.#responses.size === 0) this.#quiet.resolve();
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

  /** Ends every stream and waits for what is being answered. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const stream of this.#streams) stream.stop();
    if (this.#responses.size > 0) await this.#quiet.promise;
  }
}
