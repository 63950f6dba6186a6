import type { DocumentProblem } from "@cleveragents/domain";
import type { LineCounter } from "yaml";

export type ProblemPath = readonly PropertyKey[];

const keyOf = (path: ProblemPath): string => JSON.stringify(path.map(String));

/** Problems of one document, and where each place of it is in the text. */
export class ProblemList {
  readonly #lines: LineCounter;
  readonly #offsets = new Map<string, number>();
  readonly #problems: DocumentProblem[] = [];

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  /** Remembers the offset in the text of a place in the document. */
  locate(path: ProblemPath, offset: number): void {
    this.#offsets.set(keyOf(path), offset);
  }

  /** Where exactly this place is, if it is there. */
  offsetOf(path: ProblemPath): number | undefined {
    return this.#offsets.get(keyOf(path));
  }

  lineOf(path: ProblemPath): number | undefined {
    const offset = this.offsetOf(path);
    return offset === undefined ? undefined : this.#lines.linePos(offset).line;
  }

  /** Reports at an offset, else at the place, else (if that is missing) at the nearest one around it. */
  add(path: ProblemPath, problem: string, offset = this.#nearest(path)): void {
    const where = offset === undefined ? undefined : this.#lines.linePos(offset);
    this.#problems.push({
      path: path.map(String).join("."),
      problem,
      ...(where === undefined || where.line === 0 ? {} : { line: where.line, column: where.col }),
    });
  }

  /** In the order of the text, each once. */
  all(): readonly DocumentProblem[] {
    const seen = new Set<string>();
    return this.#problems
      .filter((problem) => {
        const key = JSON.stringify(problem);
        return !seen.has(key) && seen.add(key);
      })
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  }

  #nearest(path: ProblemPath): number | undefined {
    for (let length = path.length; length >= 0; length -= 1) {
      const offset = this.#offsets.get(keyOf(path.slice(0, length)));
      if (offset !== undefined) return offset;
    }
    return undefined;
  }
}
