import type { OutputStream } from "../context.ts";
import type { Paint } from "../output/paint.ts";
import { widthOf } from "../output/width.ts";
import type { Observation } from "./observe.ts";
import type { PlanView } from "./plan-view.ts";
import type { Progress } from "./progress.ts";
import { stepLine } from "./step-line.ts";

/** Milliseconds between two drawings, so that a chatty tool does not make the terminal flicker. */
const FRAME_MS = 60;
const SGR = /\p{Cc}\[\d+m/uy;

/** A block of lines that is drawn over itself. Lines are cut to the terminal, so that each takes one row. */
export class LiveView implements PlanView {
  readonly #stream: OutputStream;
  readonly #progress: Progress;
  readonly #paint: Paint;
  readonly #planId: string;
  #drawn = 0;
  #word = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: OutputStream, progress: Progress, paint: Paint, planId: string) {
    this.#stream = stream;
    this.#progress = progress;
    this.#paint = paint;
    this.#planId = planId;
  }

  show(observation: Observation): void {
    this.#progress.take(observation);
    this.#word = "";
    this.#timer ??= setTimeout(() => this.#draw(), FRAME_MS);
  }

  say(text: string): void {
    this.#word = text;
    this.#draw();
  }

  close(): void {
    this.#draw();
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { columns = 80, rows = 24 } = this.#stream;
    const lines = this.#lines().map((line) => cutPainted(line, columns - 1));
    // What does not fit is the oldest part below the first line.
    const kept = lines.length < rows ? lines : [lines[0] ?? "", ...lines.slice(lines.length - rows + 2)];
    const back = this.#drawn === 0 ? "" : `\x1b[${this.#drawn}A\r\x1b[J`;
    this.#drawn = kept.length;
    this.#stream.write(back + kept.map((line) => `${line}\n`).join(""));
  }

  #lines(): string[] {
    const { stage, decisions, steps, lastOutput, changes, failure, said, ask } = this.#progress;
    const stepLines = [...steps.values()].flatMap((step) => [
      stepLine(step, this.#paint),
      ...(step.status === "running" && lastOutput !== "" ? [this.#paint.dim(`  | ${lastOutput}`)] : []),
    ]);
    const rest = [changes, failure, said, ask, this.#word]
      .filter((text) => text !== "")
      .flatMap((text) => text.split("\n"));
    return [`Plan ${this.#planId}${stage === "" ? "" : `  ${stage}`}`, ...decisions, ...stepLines, ...rest];
  }
}

/** Cuts a painted line; its codes take no room and are kept, so that colour ends with the line. */
function cutPainted(line: string, width: number): string {
  let out = "";
  let taken = 0;
  for (let at = 0; at < line.length; ) {
    SGR.lastIndex = at;
    const code = SGR.exec(line)?.[0];
    if (code !== undefined) {
      out += code;
      at += code.length;
      continue;
    }
    const char = String.fromCodePoint(line.codePointAt(at) ?? 32);
    at += char.length;
    taken += widthOf(char);
    if (taken <= width) out += char === "\t" ? " " : char;
  }
  return out;
}
