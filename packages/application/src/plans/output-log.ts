import type { JsonObject, TaskEvent } from "@cleveragents/domain";
import type { OutputWriter } from "../ports/output-store.ts";

const FLUSH_MS = 50;
const FLUSH_BYTES = 4096;
/** Characters of a long output that the log holds: its beginning, as it comes, and its end, when it is over. */
const HEAD = 192 * 1024;
const TAIL = 64 * 1024;

interface OutputLogDeps {
  readonly append: (events: readonly { key: string; event: TaskEvent }[]) => Promise<void>;
  readonly key: string;
  readonly artifactId: string;
  readonly name: string;
  /** What its chunks are called; `tool.output` when absent. */
  readonly event?: string | undefined;
  /** Where the whole of an output goes that is longer than the log holds. */
  readonly spill?: (() => OutputWriter) | undefined;
}

/**
 * Output of a running command as chunks of one artifact, put together to pieces of 50 ms or 4 kB. Of a long one the
 * artifact has head and tail, and the whole is spilled. The first chunk replaces what an earlier try left. `close` waits
 * until everything is logged.
 */
export class OutputLog {
  readonly #deps: OutputLogDeps;
  #buffer = "";
  #sent = 0;
  #chunks = 0;
  /** What came first, for as long as it may have to be spilled, too. */
  #head: string[] = [];
  #tail = "";
  /** Characters that are only in the tail, or no longer there. */
  #beyond = 0;
  #writer: OutputWriter | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #logged: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(deps: OutputLogDeps) {
    this.#deps = deps;
  }

  add(chunk: string): void {
    const room = HEAD - this.#sent - this.#buffer.length;
    const first = wholeCharacters(chunk, room);
    if (first !== "") {
      this.#buffer += first;
      this.#head.push(first);
      if (this.#buffer.length >= FLUSH_BYTES) this.#flush({});
      else this.#timer ??= setTimeout(() => this.#flush({}), FLUSH_MS);
    }
    if (first.length < chunk.length) this.#keepBeyond(chunk.slice(first.length));
  }

  /** Logs the rest. Throws what a commit threw, e.g. `FencedError`. */
  async close(): Promise<void> {
    const spilled = await this.#writer?.end();
    const cut = this.#beyond - this.#tail.length;
    this.#buffer += cut > 0 ? this.#note(cut, spilled) + this.#tail : this.#tail;
    if (this.#chunks > 0 || this.#buffer !== "")
      this.#flush({ last: true, facts: spilled === undefined ? {} : { ...spilled } });
    await this.#logged;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #keepBeyond(text: string): void {
    if (this.#beyond === 0) {
      this.#writer = this.#deps.spill?.();
      for (const piece of this.#head) this.#writer?.write(piece);
      this.#head = [];
    }
    this.#writer?.write(text);
    this.#beyond += text.length;
    this.#tail += text;
    // Twice as much may lie there meanwhile, so that not every small piece costs a copy of it.
    if (this.#tail.length > 2 * TAIL) this.#tail = lastOf(this.#tail);
  }

  #note(cut: number, spilled: { readonly bytes: number; readonly kept: number } | undefined): string {
    this.#tail = lastOf(this.#tail);
    const gone = Math.max(cut, this.#beyond - this.#tail.length);
    if (spilled === undefined) return `\n[… ${gone} characters were not kept …]\n`;
    const whole =
      spilled.kept === spilled.bytes
        ? `all ${spilled.bytes} bytes`
        : `the first ${spilled.kept} of ${spilled.bytes} bytes`;
    return `\n[… ${gone} characters cut; ${whole}: agents plan artifacts ID --artifact ${this.#deps.artifactId} …]\n`;
  }

  #flush({ last = false, facts = {} }: { readonly last?: boolean; readonly facts?: JsonObject }): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#buffer;
    if (text === "" && !last) return;
    this.#buffer = "";
    this.#sent += text.length;
    const n = this.#chunks++;
    const { artifactId, name, append, key } = this.#deps;
    const event: TaskEvent = {
      type: "artifact",
      artifact: { artifactId, name, parts: [{ kind: "text", text, mediaType: "text/plain" }] },
      append: n > 0,
      lastChunk: last,
      domain: {
        name: this.#deps.event ?? "tool.output",
        ...(Object.keys(facts).length === 0 ? {} : { data: facts }),
      },
    };
    this.#logged = this.#logged
      .then(() => append([{ key: `${key}:output:${n}`, event }]))
      .catch((error: unknown) => {
        this.#failure ??= error;
      });
  }
}

/** The beginning of a text, not ending in the middle of a character. */
function wholeCharacters(text: string, atMost: number): string {
  if (text.length <= atMost) return text;
  if (atMost <= 0) return "";
  const last = text.charCodeAt(atMost - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? atMost - 1 : atMost);
}

/** The end of a text, not beginning in the middle of a character. */
function lastOf(text: string): string {
  return text.slice(-TAIL).replace(/^[\uDC00-\uDFFF]/, "");
}
