import { StringDecoder } from "node:string_decoder";

/** Room for the line between head and tail, so that the whole stays within the limit. */
const NOTE_BYTES = 64;

/**
 * Collects a stream of UTF-8 and keeps its beginning and its end, in bounded memory however much comes.
 * What it gives back never begins or ends in the middle of a character.
 */
export class CappedText {
  readonly #decoder = new StringDecoder("utf8");
  readonly #head: Buffer;
  readonly #tailSize: number;
  #tail: Buffer | undefined;
  #headLength = 0;
  /** Bytes that went past the head; the ring holds the last of them. */
  #tailTotal = 0;

  constructor(maxBytes: number) {
    const kept = maxBytes - NOTE_BYTES;
    this.#head = Buffer.allocUnsafe(Math.ceil(kept / 2));
    this.#tailSize = Math.floor(kept / 2);
  }

  /** Takes bytes as they come and answers the text that is complete so far, for whoever follows along. */
  push(chunk: Buffer): string {
    return this.#keep(this.#decoder.write(chunk));
  }

  /** The stream has ended: what was an incomplete character is text now. */
  end(): string {
    return this.#keep(this.#decoder.end());
  }

  text(): string {
    const head = this.#head.subarray(0, this.#headLength);
    const tail = this.#lastBytes();
    if (this.#tailTotal <= this.#tailSize) return Buffer.concat([head, tail]).toString("utf8");
    const first = head.subarray(0, lastBoundary(head));
    const last = tail.subarray(firstBoundary(tail));
    const cut = this.#headLength + this.#tailTotal - first.length - last.length;
    return `${first.toString("utf8")}\n[… ${cut} bytes cut …]\n${last.toString("utf8")}`;
  }

  #keep(text: string): string {
    // Encoded anew: a byte that was no UTF-8 takes three as U+FFFD, and the limit is for what is given back.
    let bytes = Buffer.from(text, "utf8");
    const room = this.#head.length - this.#headLength;
    if (room > 0) {
      const taken = bytes.copy(this.#head, this.#headLength, 0, room);
      this.#headLength += taken;
      bytes = bytes.subarray(taken);
    }
    if (bytes.length > 0) this.#keepTail(bytes);
    return text;
  }

  #keepTail(bytes: Buffer): void {
    this.#tail ??= Buffer.allocUnsafe(this.#tailSize);
    const last = bytes.subarray(Math.max(0, bytes.length - this.#tailSize));
    const at = (this.#tailTotal + bytes.length - last.length) % this.#tailSize;
    const written = last.copy(this.#tail, at);
    last.copy(this.#tail, 0, written);
    this.#tailTotal += bytes.length;
  }

  #lastBytes(): Buffer {
    if (this.#tail === undefined) return Buffer.alloc(0);
    if (this.#tailTotal <= this.#tailSize) return this.#tail.subarray(0, this.#tailTotal);
    const at = this.#tailTotal % this.#tailSize;
    return Buffer.concat([this.#tail.subarray(at), this.#tail.subarray(0, at)]);
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the first whole character begins. */
function firstBoundary(bytes: Buffer): number {
  let at = 0;
  while (at < 3 && isContinuation(bytes[at])) at += 1;
  return at;
}

/** Where the last whole character ends. */
function lastBoundary(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at > 0 && isContinuation(bytes[at])) at -= 1;
  const lead = bytes[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return at + length <= bytes.length ? bytes.length : Math.max(0, at);
}
