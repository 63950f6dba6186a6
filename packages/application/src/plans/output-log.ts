import type { TaskEvent } from "@cleveragents/domain";

const FLUSH_MS = 50;
const FLUSH_BYTES = 4096;
const MAX_BYTES = 256 * 1024;

/**
 * Output of a running command as chunks of one artifact, put together to pieces of 50 ms or 4 kB, at most 256 KiB in
 * all. The first chunk replaces what an earlier try left. `close` waits until everything is logged.
 */
export class OutputLog {
  readonly #append: (events: readonly { key: string; event: TaskEvent }[]) => Promise<void>;
  readonly #key: string;
  readonly #artifactId: string;
  readonly #name: string;
  #buffer = "";
  #sent = 0;
  #chunks = 0;
  #full = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tail: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(deps: {
    readonly append: (events: readonly { key: string; event: TaskEvent }[]) => Promise<void>;
    readonly key: string;
    readonly artifactId: string;
    readonly name: string;
  }) {
    this.#append = deps.append;
    this.#key = deps.key;
    this.#artifactId = deps.artifactId;
    this.#name = deps.name;
  }

  add(chunk: string): void {
    if (this.#full) return;
    this.#buffer += chunk;
    if (this.#sent + this.#buffer.length >= MAX_BYTES) {
      this.#buffer = `${this.#buffer.slice(0, MAX_BYTES - this.#sent)}\n[more output was not kept]\n`;
      this.#full = true;
    }
    if (this.#buffer.length >= FLUSH_BYTES) this.#flush(false);
    else this.#timer ??= setTimeout(() => this.#flush(false), FLUSH_MS);
  }

  /** Logs the rest. Throws what a commit threw, e.g. `FencedError`. */
  async close(): Promise<void> {
    if (this.#chunks > 0 || this.#buffer !== "") this.#flush(true);
    await this.#tail;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #flush(last: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#buffer;
    if (text === "" && !last) return;
    this.#buffer = "";
    this.#sent += text.length;
    const n = this.#chunks++;
    const event: TaskEvent = {
      type: "artifact",
      artifact: {
        artifactId: this.#artifactId,
        name: this.#name,
        parts: [{ kind: "text", text, mediaType: "text/plain" }],
      },
      append: n > 0,
      lastChunk: last,
      domain: { name: "tool.output" },
    };
    this.#tail = this.#tail
      .then(() => this.#append([{ key: `${this.#key}:output:${n}`, event }]))
      .catch((error: unknown) => {
        this.#failure ??= error;
      });
  }
}
