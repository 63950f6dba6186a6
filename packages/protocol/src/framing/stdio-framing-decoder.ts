import {
  DEFAULT_FRAMING_LIMITS,
  FramingError,
  type FramingLimits,
  type StdioFraming,
} from "./stdio-framing.ts";
import { ByteBuffer } from "./stdio-framing-buffer.ts";

const LF = 0x0a;
const CR = 0x0d;
const BOM: readonly number[] = [0xef, 0xbb, 0xbf];

/**
 * Cuts bytes into messages, however they are split into chunks. The first byte of the connection chooses the framing
 * unless it is given; it never changes afterwards. A byte order mark at the beginning and line ends between messages
 * are skipped. Each byte is looked at once and copied at most twice.
 *
 * `push` what arrives, then call `next` until it answers undefined; messages are views that stay valid. Once `next`
 * has thrown, it throws the same error for ever.
 */
export class FrameDecoder {
  readonly #limits: FramingLimits;
  #framing: StdioFraming | undefined;
  #bomSeen: number;
  #chunks: Uint8Array[] = [];
  /** First chunk that is not used up, and the place in it. */
  #chunk = 0;
  #at = 0;
  #ended = false;
  #error: FramingError | undefined;
  /** What has been read of the present header line, line or body. */
  readonly #part = new ByteBuffer();
  /** Length of the body that is being read; undefined between messages. */
  #expected: number | undefined;
  #headerBytes = 0;
  #contentLength: number | undefined;

  constructor(
    options: {
      readonly framing?: StdioFraming | undefined;
      readonly limits?: FramingLimits | undefined;
    } = {},
  ) {
    this.#framing = options.framing;
    this.#bomSeen = options.framing === undefined ? 0 : BOM.length;
    this.#limits = options.limits ?? DEFAULT_FRAMING_LIMITS;
  }

  /** Undefined until the first byte has come. */
  get framing(): StdioFraming | undefined {
    return this.#framing;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length > 0) this.#chunks.push(chunk);
  }

  /** Nothing more will come: a last line without an end is a message, anything else unfinished is an error. */
  end(): void {
    this.#ended = true;
  }

  /** The next whole message. Throws {@link FramingError} when there will never be one. */
  next(): Uint8Array | undefined {
    if (this.#error !== undefined) throw this.#error;
    try {
      const message = this.#read() ?? (this.#ended ? this.#last() : undefined);
      if (message === undefined) this.#forget();
      return message;
    } catch (error) {
      this.#error = error as FramingError;
      throw error;
    }
  }

  #read(): Uint8Array | undefined {
    if (this.#framing === undefined && !this.#choose()) return undefined;
    if (this.#framing === "newline") return this.#readLine();
    if (this.#expected === undefined)
      this.#expected = this.#framing === "length" ? this.#readLength() : this.#readHeader();
    return this.#expected === undefined ? undefined : this.#readBody(this.#expected);
  }

  #choose(): boolean {
    for (let byte = this.#peek(); byte !== undefined; byte = this.#peek()) {
      if (this.#bomSeen < BOM.length && byte === BOM[this.#bomSeen]) {
        this.#bomSeen++;
        this.#at++;
        continue;
      }
      if (this.#bomSeen > 0 && this.#bomSeen < BOM.length) throw unknownBeginning(BOM[0] as number);
      this.#bomSeen = BOM.length;
      if (isBlank(byte)) {
        this.#at++;
        continue;
      }
      const framing = framingOf(byte);
      if (framing === undefined) throw unknownBeginning(byte);
      this.#framing = framing;
      return true;
    }
    return false;
  }

  #readLine(): Uint8Array | undefined {
    for (
      let line = this.#upTo(LF, this.#limits.maxMessageBytes);
      line !== undefined;
      line = this.#upTo(LF, this.#limits.maxMessageBytes)
    ) {
      if (!line.every(isBlank)) return withoutReturn(line);
    }
    return undefined;
  }

  #readLength(): number | undefined {
    for (let byte = this.#take(); byte !== undefined; byte = this.#take()) {
      if ((byte === LF || byte === CR) && this.#part.length === 0) continue;
      if (byte === LF) return this.#checked(textOf(this.#part.take()).trimEnd());
      if (this.#part.last === CR || !(isDigit(byte) || byte === CR)) {
        const text = textOf(this.#part.take()) + String.fromCharCode(byte);
        throw new FramingError(
          "BROKEN",
          `a message begins with its length in digits and a line feed, not with ${JSON.stringify(text)}`,
        );
      }
      if (this.#part.length >= MAX_DIGITS) throw this.#tooLarge();
      this.#part.pushByte(byte);
    }
    return undefined;
  }

  #readHeader(): number | undefined {
    for (;;) {
      const line = this.#upTo(LF, this.#limits.maxHeaderBytes - this.#headerBytes);
      if (line === undefined) return undefined;
      const text = textOf(line).trimEnd();
      if (text === "" && this.#headerBytes === 0) continue;
      this.#headerBytes += line.length + 1;
      if (text === "") break;
      this.#readField(text);
    }
    const length = this.#contentLength;
    if (length === undefined) throw new FramingError("BROKEN", "a message header must have a Content-Length");
    this.#headerBytes = 0;
    this.#contentLength = undefined;
    return length;
  }

  #readField(text: string): void {
    const colon = text.indexOf(":");
    if (colon <= 0)
      throw new FramingError("BROKEN", `a header line has a name and a colon; this one is ${quote(text)}`);
    if (text.slice(0, colon).trim().toLowerCase() !== "content-length") return;
    const value = text.slice(colon + 1).trim();
    if (!/^\d+$/.test(value))
      throw new FramingError("BROKEN", `Content-Length must be a number of bytes, not ${quote(value)}`);
    const length = this.#checked(value);
    if (this.#contentLength !== undefined && this.#contentLength !== length) {
      throw new FramingError("BROKEN", "a message header has two different Content-Lengths");
    }
    this.#contentLength = length;
  }

  #checked(digits: string): number {
    const length = Number(digits);
    if (length > this.#limits.maxMessageBytes) throw this.#tooLarge();
    return length;
  }

  #readBody(length: number): Uint8Array | undefined {
    for (;;) {
      const missing = length - this.#part.length;
      const chunk = this.#present();
      if (missing > 0 && chunk === undefined) return undefined;
      const piece = chunk?.subarray(this.#at, this.#at + missing) ?? EMPTY;
      this.#at += piece.length;
      if (piece.length === missing) {
        this.#expected = undefined;
        return this.#finish(piece);
      }
      this.#part.push(piece, length);
    }
  }

  /** The bytes before the next `end`, which is consumed; undefined as long as it is not there. */
  #upTo(end: number, limit: number): Uint8Array | undefined {
    for (let chunk = this.#present(); chunk !== undefined; chunk = this.#present()) {
      const found = chunk.indexOf(end, this.#at);
      const piece = chunk.subarray(this.#at, found < 0 ? chunk.length : found);
      this.#at += piece.length + (found < 0 ? 0 : 1);
      if (this.#part.length + piece.length > limit) {
        throw this.#framing === "header"
          ? new FramingError("BROKEN", "a message header is too long")
          : this.#tooLarge();
      }
      if (found >= 0) return this.#finish(piece);
      this.#part.push(piece, limit);
    }
    return undefined;
  }

  /** What was kept, with the last piece; a message that lies within one chunk is not copied. */
  #finish(piece: Uint8Array): Uint8Array {
    if (this.#part.length === 0) return piece;
    this.#part.push(piece, this.#part.length + piece.length);
    return this.#part.take();
  }

  #last(): Uint8Array | undefined {
    const part = this.#part.take();
    if (this.#framing === "newline") return part.every(isBlank) ? undefined : withoutReturn(part);
    if (this.#expected !== undefined) {
      throw new FramingError(
        "TRUNCATED",
        `the input ended after ${part.length} of ${this.#expected} bytes of a message`,
      );
    }
    const begun =
      part.length > 0 || this.#headerBytes > 0 || (this.#bomSeen > 0 && this.#bomSeen < BOM.length);
    if (begun) throw new FramingError("TRUNCATED", "the input ended in the middle of a message's length");
    return undefined;
  }

  /** The chunk that has bytes left. */
  #present(): Uint8Array | undefined {
    let chunk = this.#chunks[this.#chunk];
    while (chunk !== undefined && this.#at >= chunk.length) {
      this.#at = 0;
      chunk = this.#chunks[++this.#chunk];
    }
    return chunk;
  }

  #peek(): number | undefined {
    return this.#present()?.[this.#at];
  }

  #take(): number | undefined {
    const byte = this.#peek();
    if (byte !== undefined) this.#at++;
    return byte;
  }

  #forget(): void {
    this.#chunks = [];
    this.#chunk = 0;
    this.#at = 0;
  }

  #tooLarge(): FramingError {
    return new FramingError("TOO_LARGE", `a message may have at most ${this.#limits.maxMessageBytes} bytes`);
  }
}

const EMPTY = new Uint8Array(0);
/** More digits than any length that could be meant. */
const MAX_DIGITS = 15;

function framingOf(byte: number): StdioFraming | undefined {
  if (isDigit(byte)) return "length";
  if (byte === 0x7b || byte === 0x5b) return "newline";
  return byte === 0x43 || byte === 0x63 ? "header" : undefined;
}

function unknownBeginning(byte: number): FramingError {
  const shown =
    byte > 0x20 && byte < 0x7f
      ? `"${String.fromCharCode(byte)}"`
      : `byte 0x${byte.toString(16).padStart(2, "0")}`;
  return new FramingError(
    "BROKEN",
    `a connection begins with a message's length in digits, with { or [ (a message a line), or with Content-Length; this one begins with ${shown}`,
  );
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === CR || byte === LF;
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === CR ? line.subarray(0, -1) : line;
}

/** Header bytes as text; what is not ASCII is only ever shown. */
function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
