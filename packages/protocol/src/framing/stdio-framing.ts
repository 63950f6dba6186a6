/**
 * How messages are told apart on a stream of bytes: `length` is `<byte length>\n<json>`, `newline` is one message a
 * line, `header` is `Content-Length: <byte length>\r\n\r\n<json>`.
 */
export type StdioFraming = "length" | "newline" | "header";

export interface FramingLimits {
  /** Bytes of one message; a longer one is refused as soon as it is known to be longer. */
  readonly maxMessageBytes: number;
  /** Bytes of everything before a message: the header lines together. */
  readonly maxHeaderBytes: number;
}
export const DEFAULT_FRAMING_LIMITS: FramingLimits = {
  maxMessageBytes: 10 * 1024 * 1024,
  maxHeaderBytes: 8 * 1024,
};

/** The bytes cannot be cut into messages any more; nothing after it can be read. */
export class FramingError extends Error {
  override readonly name = "FramingError";
  readonly reason: "BROKEN" | "TOO_LARGE" | "TRUNCATED";

  constructor(reason: FramingError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

const encoder = new TextEncoder();

/** One message as bytes. The JSON text holds no line feed outside strings, as `JSON.stringify` makes it. */
export function encodeFrame(framing: StdioFraming, json: string | Uint8Array): Uint8Array {
  const body = typeof json === "string" ? encoder.encode(json) : json;
  if (framing === "newline") return join(body, Uint8Array.of(0x0a));
  const head = framing === "length" ? `${body.length}\n` : `Content-Length: ${body.length}\r\n\r\n`;
  return join(encoder.encode(head), body);
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
