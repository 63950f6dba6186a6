import {
  formatCursor,
  type JsonRpcResponse,
  type RequestId,
  type StreamFrame,
  success,
  TransportError,
} from "@cleveragents/protocol";
import { positionOf } from "../resume/stream-position.ts";
import type { StreamedElement } from "./incoming-message.ts";
import type { PendingCall } from "./pending-call.ts";

/** Bytes of elements that wait for their reader before the connection is read no further. */
const FULL_BYTES = 256 * 1024;
/** While others wait for answers reading goes on; a stream that is this far behind is given up, to be resumed. */
const OVERFLOW_BYTES = 64 * FULL_BYTES;

/** A call with elements: keeps what its reader has not taken yet. */
export class PendingStream implements PendingCall {
  readonly id: RequestId;
  readonly #onChange: () => void;
  readonly #onOverflow: () => void;
  #frames: { readonly frame: StreamFrame; readonly bytes: number }[] = [];
  #bytes = 0;
  #ended = false;
  #error: TransportError | undefined;
  #reader: PromiseWithResolvers<void> | undefined;

  /** `onChange` is told when its `full` or `waiting` may have changed, `onOverflow` when the peer should stop. */
  constructor(id: RequestId, events: { readonly onChange: () => void; readonly onOverflow: () => void }) {
    this.id = id;
    this.#onChange = events.onChange;
    this.#onOverflow = events.onOverflow;
  }

  get full(): boolean {
    return this.#bytes >= FULL_BYTES;
  }

  get waiting(): boolean {
    return this.#reader !== undefined;
  }

  element({ seq, result, event, cursor }: StreamedElement, bytes: number): void {
    if (this.#ended) return;
    const response = success(this.id, result);
    this.#add(
      event === undefined ? { cursor: cursorOf(result, seq), response } : { cursor, event, response },
      bytes,
    );
    if (this.#bytes < OVERFLOW_BYTES) return;
    this.fail(
      new TransportError(
        "CONNECTION_LOST",
        "the stream was read too slowly and was given up; resume it by its cursor",
      ),
    );
    this.#onOverflow();
  }

  /** A stream that ends well has no frame for its end; a refusal or a failure is one. */
  answer(response: JsonRpcResponse): void {
    if (this.#ended) return;
    if ("error" in response && response.error !== null && response.error !== undefined)
      this.#add({ response }, 0);
    this.#end();
  }

  /** What has arrived is still read first. */
  fail(error: TransportError): void {
    if (this.#ended) return;
    this.#error = error;
    this.#end();
  }

  /** The next frame, undefined at the end. Throws what the stream failed with. */
  async next(): Promise<StreamFrame | undefined> {
    if (this.#frames.length === 0 && !this.#ended) {
      this.#reader = Promise.withResolvers();
      this.#onChange();
      await this.#reader.promise;
    }
    const next = this.#frames.shift();
    if (next !== undefined) {
      this.#bytes -= next.bytes;
      this.#onChange();
      return next.frame;
    }
    if (this.#error !== undefined) throw this.#error;
    return undefined;
  }

  /** Its reader has been told to stop: what was kept for it is dropped. */
  abandon(error: TransportError): void {
    this.#frames = [];
    this.#bytes = 0;
    this.#ended = false;
    this.fail(error);
  }

  #add(frame: StreamFrame, bytes: number): void {
    this.#frames.push({ frame, bytes });
    this.#bytes += bytes;
    this.#wake();
  }

  #end(): void {
    this.#ended = true;
    this.#wake();
  }

  #wake(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.resolve();
  }
}

/** The element's cursor: the id of the task that it is about, with its number (`docs/bindings/stdio.md`). */
function cursorOf(result: unknown, seq: number): string | undefined {
  const { taskId } = positionOf(result);
  return taskId !== undefined && Number.isSafeInteger(seq) ? formatCursor(taskId, seq) : undefined;
}
