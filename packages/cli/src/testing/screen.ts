import { widthOf } from "../output/width.ts";

const SEQUENCE = /\p{Cc}\[(\d*)([A-Za-z])/uy;

/** What stands on a terminal after all that was written to it: the part of one that this program uses. It never scrolls away. */
export class Screen {
  readonly #columns: number;
  readonly #rows: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(columns: number, text = "") {
    this.#columns = columns;
    this.write(text);
  }

  write(text: string): void {
    for (let at = 0; at < text.length; ) {
      SEQUENCE.lastIndex = at;
      const sequence = SEQUENCE.exec(text);
      if (sequence !== null) {
        this.#obey(sequence[2] ?? "", Number(sequence[1] === "" ? 1 : sequence[1]));
        at += sequence[0].length;
        continue;
      }
      const char = String.fromCodePoint(text.codePointAt(at) ?? 32);
      at += char.length;
      this.#put(char);
    }
  }

  /** Without spaces at the ends of lines, and without empty lines below. */
  get text(): string {
    return this.#rows
      .map((row) =>
        Array.from(row, (cell) => cell ?? " ")
          .join("")
          .trimEnd(),
      )
      .join("\n")
      .trimEnd();
  }

  #put(char: string): void {
    if (char === "\n") {
      this.#row += 1;
      this.#column = 0;
    } else if (char === "\r") this.#column = 0;
    else {
      const width = widthOf(char);
      if (this.#column + width > this.#columns) {
        this.#row += 1;
        this.#column = 0;
      }
      const row = this.#here();
      row[this.#column] = char;
      // The second half of a wide character.
      if (width === 2) row[this.#column + 1] = "";
      this.#column += width;
    }
    this.#here();
  }

  #here(): string[] {
    while (this.#rows.length <= this.#row) this.#rows.push([]);
    return this.#rows[this.#row] ?? [];
  }

  #obey(command: string, count: number): void {
    if (command === "A") this.#row = Math.max(0, this.#row - count);
    else if (command === "K") this.#here().length = Math.min(this.#here().length, this.#column);
    else if (command === "J") {
      this.#here().length = Math.min(this.#here().length, this.#column);
      this.#rows.length = this.#row + 1;
    } else if (command !== "m") throw new Error(`a sequence that this screen does not know: ${command}`);
  }
}
