const NEWLINE = 10;

/**
 * Cuts a stream into lines, in time that grows with what comes and not with its square, and holds no more than one
 * line. `tooLong` is called once for a line beyond the limit; nothing is read from then on.
 */
export class LineReader {
  readonly #limit: number;
  readonly #line: (line: string) => void;
  readonly #tooLong: () => void;
  #parts: Buffer[] = [];
  #size = 0;
  #over = false;

  constructor(limit: number, line: (line: string) => void, tooLong: () => void) {
    this.#limit = limit;
    this.#line = line;
    this.#tooLong = tooLong;
  }

  /** Bytes of a line that has no end yet. */
  get pending(): number {
    return this.#size;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (!this.#over && rest.length > 0) {
      const at = rest.indexOf(NEWLINE);
      const part = at < 0 ? rest : rest.subarray(0, at);
      this.#size += part.length;
      if (this.#size > this.#limit) {
        this.#over = true;
        this.#parts = [];
        this.#tooLong();
        return;
      }
      if (part.length > 0) this.#parts.push(part);
      if (at < 0) return;
      const line = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#size = 0;
      rest = rest.subarray(at + 1);
      this.#line(line.toString("utf8").replace(/\r$/, ""));
    }
  }
}
