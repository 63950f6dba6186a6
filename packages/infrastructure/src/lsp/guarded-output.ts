import { Transform, type TransformCallback } from "node:stream";

/** A message that is longer ends the server: nobody could use it, and it would take the memory of all. */
export const LONGEST_MESSAGE = 64 * 1024 * 1024;
const LONGEST_HEADER = 64 * 1024;
const LONGEST_REST = 4096;

/**
 * What a server writes, without what is no message of the protocol: banners and logs that some print before or between
 * messages. Destroyed with an error where a message is too long.
 */
export class GuardedOutput extends Transform {
  #head = Buffer.alloc(0);
  /** Bytes of the present message that are still to come. */
  #left = 0;
  /** Bytes that were no message. */
  skipped = 0;

  /** The end of what came last and is no message, or not yet one: why a program has ended, some print here. */
  get rest(): string {
    return this.#head.subarray(-LONGEST_REST).toString("utf8");
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left > 0) {
        const body = rest.subarray(0, this.#left);
        this.#left -= body.length;
        rest = rest.subarray(body.length);
        this.push(body);
        continue;
      }
      this.#head = Buffer.concat([this.#head, rest]);
      rest = Buffer.alloc(0);
      const end = this.#head.indexOf("\r\n\r\n");
      if (end === -1) {
        this.#forget();
        break;
      }
      const header = this.#head.subarray(0, end).toString("latin1");
      const found = /content-length:[ \t]*(\d+)/i.exec(header);
      rest = this.#head.subarray(end + 4);
      this.#head = Buffer.alloc(0);
      if (found === null) {
        this.skipped += end + 4;
        continue;
      }
      this.skipped += found.index;
      this.#left = Number(found[1]);
      if (this.#left > LONGEST_MESSAGE) {
        done(new Error(`a message of ${this.#left} bytes, which is more than ${LONGEST_MESSAGE}`));
        return;
      }
      this.push(`Content-Length: ${this.#left}\r\n\r\n`);
    }
    done();
  }

  /** Of text that is no header only so much is kept as one could begin in. */
  #forget(): void {
    const over = this.#head.length - LONGEST_HEADER;
    if (over <= 0) return;
    this.skipped += over;
    this.#head = this.#head.subarray(over);
  }
}
