import type { Position } from "vscode-languageserver-protocol/node";

/** How a server counts within a line. */
export type Encoding = "utf-8" | "utf-16" | "utf-32";

/** As people and models count: both from 1, and a character is a code point, whatever it takes in memory. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

/** A text by its lines, in the three ways in which places in it are counted. */
export class TextLines {
  readonly text: string;
  /** Offset at which each line begins. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    const starts = [0];
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
    this.#starts = starts;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Without its end; counted from 0. Empty beyond the last. */
  line(index: number): string {
    const start = this.#starts[index];
    if (start === undefined) return "";
    return this.text.slice(start, this.#starts[index + 1]).replace(/(?:\r\n|\r|\n)$/, "");
  }

  /** What a server is told of a place; beyond the end of its line it is the end. */
  toPosition({ line, character }: Place, encoding: Encoding): Position {
    const text = this.line(line - 1);
    const before = Array.from(text)
      .slice(0, character - 1)
      .join("");
    return { line: line - 1, character: lengthIn(before, encoding) };
  }

  fromPosition({ line, character }: Position, encoding: Encoding): Place {
    const before = this.line(line).slice(0, unitsOf(this.line(line), character, encoding));
    return { line: line + 1, character: Array.from(before).length + 1 };
  }

  /** Into {@link text}; a position beyond a line is its end, one beyond the text the end of that. */
  offsetAt({ line, character }: Position, encoding: Encoding): number {
    const start = this.#starts[line];
    if (start === undefined) return this.text.length;
    return start + unitsOf(this.line(line), character, encoding);
  }

  positionAt(offset: number, encoding: Encoding): Position {
    let line = this.#starts.length - 1;
    while (line > 0 && (this.#starts[line] as number) > offset) line -= 1;
    return {
      line,
      character: lengthIn(this.text.slice(this.#starts[line], offset), encoding),
    };
  }
}

function lengthIn(text: string, encoding: Encoding): number {
  if (encoding === "utf-16") return text.length;
  return encoding === "utf-8" ? Buffer.byteLength(text, "utf8") : Array.from(text).length;
}

/** How many UTF-16 units of a line lie before a character that is counted otherwise; never half a code point. */
function unitsOf(line: string, character: number, encoding: Encoding): number {
  if (character <= 0) return 0;
  let counted = 0;
  let units = 0;
  for (const point of line) {
    const size = lengthIn(point, encoding);
    if (counted + size > character) return units;
    counted += size;
    units += point.length;
  }
  return units;
}
