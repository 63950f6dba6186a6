import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { encodeSseComment } from "@cleveragents/protocol";
import type { Headers } from "./http-answer.ts";

export interface SseWriterSettings {
  readonly heartbeatMs: number;
  readonly stallMs: number;
}

/** Characters that are joined into one write; a frame may go beyond. */
const JOINED = 64 * 1024;
const HEARTBEAT = encodeSseComment("heartbeat");
const STREAM_HEADERS: Headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/**
 * Writes frames of an event stream: those of one tick in one piece, comments while there is nothing to say. Holds one
 * piece beyond what the socket took; asking `full` and awaiting `drained()` before more is made is the caller's part.
 */
export class SseWriter {
  readonly #response: ServerResponse;
  readonly #stallMs: number;
  readonly #heartbeat: NodeJS.Timeout;
  #pending = "";
  /** The socket's buffer is full and has not drained yet. */
  #blocked = false;
  #ended = false;
  #wake: (() => void) | undefined;

  /** Sends the status line and the headers with the first frame. */
  constructor(response: ServerResponse, headers: Headers, { heartbeatMs, stallMs }: SseWriterSettings) {
    this.#response = response;
    this.#stallMs = stallMs;
    response.writeHead(200, { ...headers, ...STREAM_HEADERS });
    response.on("drain", () => this.#unblock());
    response.on("close", () => this.#close());
    this.#heartbeat = setInterval(() => this.beat(), heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Nobody reads any more, or the end has been written. */
  get closed(): boolean {
    return this.#ended;
  }

  get full(): boolean {
    return this.#blocked || this.#pending.length >= JOINED;
  }

  write(frame: string): void {
    if (this.#ended) return;
    if (this.#pending === "") process.nextTick(() => this.flush());
    this.#pending += frame;
  }

  /** A sign of life; not needed where the reader has yet to take what there is. */
  beat(): void {
    if (!this.#blocked) this.write(HEARTBEAT);
  }

  flush(): void {
    if (this.#pending === "" || this.#ended) return;
    const text = this.#pending;
    this.#pending = "";
    if (!this.#response.write(text)) this.#block();
  }

  /** Resolves when the reader has caught up, or never will; gives other connections their turn meanwhile. */
  async drained(): Promise<void> {
    this.flush();
    if (!this.#blocked || this.#ended) await setImmediate();
    else await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** The last words, and the end. */
  end(lastFrame = ""): void {
    if (this.#ended) return;
    this.#response.end(this.#pending + lastFrame);
    this.#pending = "";
    this.#close();
  }

  /** A socket's timeout counts only while it makes no progress, unlike a timer of ours. It then destroys itself. */
  #block(): void {
    this.#blocked = true;
    this.#response.socket?.setTimeout?.(this.#stallMs); // an injected request's socket has no such method
  }

  #unblock(): void {
    this.#blocked = false;
    this.#response.socket?.setTimeout?.(0); // as above
    this.#wake?.();
  }

  #close(): void {
    this.#ended = true;
    clearInterval(this.#heartbeat);
    this.#wake?.();
  }
}
