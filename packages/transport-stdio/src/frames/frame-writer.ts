import type { Writable } from "node:stream";
import { encodeFrame, type StdioFraming } from "@cleveragents/protocol";

/** Writes messages to a stream, each whole and in the order of the calls. A stream that breaks is silently done with. */
export class FrameWriter {
  readonly #output: Writable;
  readonly #framing: () => StdioFraming;
  readonly #gone = Promise.withResolvers<void>();
  #open: boolean;
  #drained: PromiseWithResolvers<void> | undefined;

  /** `framing` is asked at each message: a server answers in what its peer has chosen. */
  constructor(output: Writable, framing: () => StdioFraming) {
    this.#output = output;
    this.#framing = framing;
    this.#open = output.writable;
    output.on("drain", () => this.#release());
    output.on("close", () => this.#close());
    // A peer that stopped reading (EPIPE) is a peer that left. The listener stays for errors that come late.
    output.on("error", () => this.#close());
    if (!this.#open) this.#gone.resolve();
  }

  /** Settles when nothing can be written any more. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  get open(): boolean {
    return this.#open;
  }

  /** Undefined when there is room for more, else a promise of it. After the end it does nothing. */
  write(json: string | Uint8Array): Promise<void> | undefined {
    if (!this.#open) return undefined;
    if (this.#output.write(encodeFrame(this.#framing(), json))) return undefined;
    this.#drained ??= Promise.withResolvers<void>();
    return this.#drained.promise;
  }

  /** Ends the stream; settles when all of it has left, or never will. */
  async end(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await Promise.race([new Promise<void>((resolve) => this.#output.end(resolve)), this.#gone.promise]);
    this.#close();
  }

  #close(): void {
    this.#open = false;
    this.#release();
    this.#gone.resolve();
  }

  #release(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }
}
