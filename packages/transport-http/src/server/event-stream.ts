import {
  type DispatchAnswer,
  encodeSseEvent,
  type JsonRpcResponse,
  type StreamElement,
} from "@cleveragents/protocol";
import type { AnswerFormat } from "./answer-format.ts";
import type { HttpAnswer } from "./http-answer.ts";
import { shuttingDown } from "./refusal.ts";
import type { SseWriter } from "./sse-writer.ts";

type StreamedAnswer = Extract<DispatchAnswer, { kind: "stream" }>;
type Pulled = { readonly frame: string } | { readonly failed: JsonRpcResponse } | undefined;

export interface EventStreamSettings {
  readonly format: AnswerFormat;
  /** Sends the head of the stream. Until it is called, an ordinary answer is possible. */
  readonly open: () => SseWriter;
  /** Tells the dispatcher that nobody listens any more. */
  readonly abort: () => void;
  /** Milliseconds after which the head is sent even if there is no first element yet. */
  readonly patienceMs: number;
}

const COME_BACK = encodeSseEvent({ retry: 250 });

/** One stream on its way out: pulled only as fast as it is read, ended by either side. */
export class EventStream {
  readonly #answer: StreamedAnswer;
  readonly #settings: EventStreamSettings;
  readonly #iterator: AsyncIterator<StreamElement>;
  readonly #interrupted = Promise.withResolvers<undefined>();
  #writer: SseWriter | undefined;
  #ending: "ended" | "stopped" | "left" | undefined;

  constructor(answer: StreamedAnswer, settings: EventStreamSettings) {
    this.#answer = answer;
    this.#settings = settings;
    this.#iterator = answer.elements[Symbol.asyncIterator]();
  }

  /** Serves the stream to its end. An answer is what to send instead: the first element was a refusal. */
  async serve(): Promise<HttpAnswer | undefined> {
    const pulled = this.#pull();
    const first = await this.#peek(pulled);
    if (this.#ending === "stopped") return shuttingDown(this.#settings.format);
    if (this.#ending === "left") return undefined;
    if (first !== undefined && "failed" in first) {
      this.#finish("ended");
      return this.#settings.format.one(first.failed, {});
    }
    this.#writer = this.#settings.open();
    if (first === undefined) this.#writer.beat();
    // A pull that never returns must not keep a stream that is over.
    await Promise.race([this.#pump(this.#writer, pulled), this.#interrupted.promise]);
    return undefined;
  }

  /** The server stops: the reader is told to come back soon. */
  stop(): void {
    this.#writer?.end(COME_BACK);
    this.#finish("stopped");
  }

  /** The reader has gone. */
  leave(): void {
    this.#finish("left");
  }

  /** The first element, unless it is late or there is nobody to hear it. */
  async #peek(pulled: Promise<Pulled>): Promise<Pulled> {
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), this.#settings.patienceMs);
    try {
      return await Promise.race([pulled, this.#interrupted.promise, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #pump(writer: SseWriter, first: Promise<Pulled>): Promise<void> {
    for (let pulled = await first; !writer.closed; pulled = await this.#pull()) {
      if (pulled === undefined) break;
      if ("failed" in pulled) {
        writer.write(encodeSseEvent({ data: this.#settings.format.failure(pulled.failed) }));
        break;
      }
      writer.write(pulled.frame);
      if (writer.full) await writer.drained();
    }
    writer.end();
    this.#finish("ended");
  }

  /** The next element as a frame; undefined at the end. */
  async #pull(): Promise<Pulled> {
    try {
      const next = await this.#iterator.next();
      if (next.done === true) return undefined;
      const { cursor, event } = next.value;
      const json = next.value.json?.() ?? JSON.stringify(next.value.result) ?? "null";
      return {
        frame: encodeSseEvent({
          ...(cursor === "" ? {} : { id: cursor }),
          ...(event === undefined
            ? { data: this.#settings.format.element(this.#answer.id, json) }
            : { event, data: `{"jsonrpc":"2.0","method":${JSON.stringify(event)},"params":${json}}` }),
        }),
      };
    } catch (thrown) {
      return { failed: this.#answer.failed(thrown) };
    }
  }

  /** Once over, nothing follows the log for this reader: the signal frees a pull that is waiting. */
  #finish(ending: "ended" | "stopped" | "left"): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#interrupted.resolve(undefined);
    this.#settings.abort();
    this.#iterator.return?.().catch(() => {}); // the reader is gone, and with it whom to tell
  }
}
