/** One event to be written; every member is optional, and an event without `data` is not dispatched by readers. */
export interface SseFields {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  /** Milliseconds that a reader should wait before it reconnects. */
  readonly retry?: number;
}

/** One event as read. `id` is what its sender gave since the event before, not what an older event left behind. */
export interface SseEvent {
  readonly id?: string;
  /** `message` where the sender named no type. */
  readonly event: string;
  readonly data: string;
}

/** An event's text, blank line included. Throws RangeError for an id or type that would break the frame. */
export function encodeSseEvent({ id, event, data, retry }: SseFields): string {
  let text = "";
  if (event !== undefined) text += `event: ${singleLine(event)}\n`;
  if (id !== undefined) text += `id: ${singleLine(id)}\n`;
  if (retry !== undefined) text += `retry: ${retry}\n`;
  if (data !== undefined) text += `data: ${joinLines(data, "\ndata: ")}\n`;
  return `${text}\n`;
}

/** A comment's text: keeps a connection alive and is no event. */
export function encodeSseComment(comment: string): string {
  return `: ${joinLines(comment, "\n: ")}\n\n`;
}

function singleLine(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new RangeError("an SSE id or event type holds no line end and no NUL");
  return value;
}

function joinLines(text: string, joint: string): string {
  return text.includes("\n") || text.includes("\r") ? text.split(/\r\n|\r|\n/).join(joint) : text;
}

const LF = 10;

/**
 * Reads an event stream in pieces of any size (WHATWG HTML §9.2.6). Time is linear in the bytes however they are cut.
 * `push` throws RangeError once a single event exceeds `maxEventLength` characters; the decoder is of no use then.
 */
export class SseDecoder {
  /** What `Last-Event-ID` should say on reconnecting; an empty string if nothing. */
  lastEventId = "";
  /** The sender's wish, in milliseconds. */
  retry: number | undefined;
  readonly #maxEventLength: number;
  readonly #text = new TextDecoder("utf-8");
  /** The unfinished line. */
  #line = "";
  /** The last chunk ended with CR: an LF at the start of the next one belongs to it. */
  #afterCr = false;
  #data: string | undefined;
  #event = "";
  #id: string | undefined;

  constructor(options: { readonly maxEventLength?: number } = {}) {
    this.#maxEventLength = options.maxEventLength ?? Number.POSITIVE_INFINITY;
  }

  /** The events that these bytes complete, in order. */
  push(bytes: Uint8Array): SseEvent[] {
    const events: SseEvent[] = [];
    const chunk = this.#text.decode(bytes, { stream: true });
    if (chunk === "") return events;
    let start = this.#afterCr && chunk.charCodeAt(0) === LF ? 1 : 0;
    this.#afterCr = false;
    // Each search result is kept until it is passed, so that no part of the chunk is searched twice.
    let lf = chunk.indexOf("\n", start);
    let cr = chunk.indexOf("\r", start);
    while (lf !== -1 || cr !== -1) {
      const isCr = lf === -1 || (cr !== -1 && cr < lf);
      const end = isCr ? cr : lf;
      const line = this.#line + chunk.slice(start, end);
      this.#line = "";
      const event = this.#readLine(line);
      if (event !== undefined) events.push(event);
      start = end + 1;
      if (isCr && start === chunk.length) this.#afterCr = true;
      else if (isCr && chunk.charCodeAt(start) === LF) start++;
      if (lf !== -1 && lf < start) lf = chunk.indexOf("\n", start);
      if (cr !== -1 && cr < start) cr = chunk.indexOf("\r", start);
    }
    this.#line += chunk.slice(start);
    this.#checkLength();
    return events;
  }

  /** Whether an event has begun that no blank line has completed: a stream that ends here was cut. */
  get incomplete(): boolean {
    return this.#line !== "" || this.#data !== undefined;
  }

  #readLine(line: string): SseEvent | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1);
    if (name === "data") this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^[0-9]+$/.test(value)) this.retry = Number(value);
    this.#checkLength();
    return undefined;
  }

  #dispatch(): SseEvent | undefined {
    if (this.#id !== undefined) this.lastEventId = this.#id;
    const data = this.#data;
    const event = this.#event === "" ? "message" : this.#event;
    this.#data = undefined;
    this.#event = "";
    if (data === undefined) return undefined;
    const id = this.#id;
    this.#id = undefined;
    return id === undefined ? { event, data } : { id, event, data };
  }

  #checkLength(): void {
    if (this.#line.length + (this.#data?.length ?? 0) > this.#maxEventLength) {
      throw new RangeError(`an SSE event is longer than ${this.#maxEventLength} characters`);
    }
  }
}
