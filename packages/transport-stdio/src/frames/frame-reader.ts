import type { Readable } from "node:stream";
import type { FrameDecoder } from "@cleveragents/protocol";

/**
 * Reads messages from a stream, one after the other. The stream is read no further than `handle` allows, so a full
 * consumer is felt by the peer. Reading leaves the writing side of a socket alone.
 */
export class FrameReader {
  readonly #input: Readable;
  readonly #decoder: FrameDecoder;
  #ended: boolean;
  #stopped = false;
  #error: Error | undefined;
  #wake: () => void = () => {};
  readonly #stop = Promise.withResolvers<void>();

  constructor(input: Readable, decoder: FrameDecoder) {
    this.#input = input;
    this.#decoder = decoder;
    this.#ended = input.readableEnded || input.destroyed;
    this.#error = input.errored ?? undefined;
    const ended = () => {
      this.#ended = true;
      this.#wake();
    };
    // The listeners stay: an error that comes late must not end the process.
    input.on("readable", () => this.#wake());
    input.on("end", ended).on("close", ended);
    input.on("error", (error) => {
      this.#error ??= error;
      this.#wake();
    });
  }

  /**
   * Hands each message to `handle` and waits for what that returns. Settles at the end of the input or when stopped;
   * throws `FramingError` and the input's error.
   */
  async run(handle: (frame: Uint8Array) => Promise<void> | undefined): Promise<void> {
    while (!this.#stopped) {
      const chunk = this.#input.read() as Uint8Array | null;
      if (chunk !== null) {
        this.#decoder.push(chunk);
        await this.#handOver(handle);
      } else if (this.#error !== undefined) throw this.#error;
      else if (this.#ended) break;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    if (this.#stopped) return;
    this.#decoder.end();
    await this.#handOver(handle);
  }

  /** Nothing more is handed over; `run` settles, even while it waits for `handle`. */
  stop(): void {
    this.#stopped = true;
    this.#stop.resolve();
    this.#wake();
  }

  async #handOver(handle: (frame: Uint8Array) => Promise<void> | undefined): Promise<void> {
    while (!this.#stopped) {
      const frame = this.#decoder.next();
      if (frame === undefined) return;
      const busy = handle(frame);
      if (busy !== undefined) await Promise.race([busy, this.#stop.promise]);
    }
  }
}
