import type { OutputStream } from "../context.ts";
import type { Paint } from "../output/paint.ts";
import { cutPainted, paintedWidth } from "../output/painted.ts";
import type { Observation } from "./observe.ts";
import type { Closing, PlanView } from "./plan-view.ts";
import type { Progress } from "./progress.ts";
import { stepLine } from "./step-line.ts";

/** Milliseconds between two drawings, so that a chatty tool does not make the terminal flicker. */
const FRAME_MS = 60;
/** How often it is drawn though nothing happens, so that one sees that it goes on, and after the window has changed. */
const TICK_MS = 1000;
/** What runs longer than this says how long. */
const TELL_SECONDS = 3;

export interface LiveViewDeps {
  readonly stream: OutputStream;
  readonly progress: Progress;
  readonly paint: Paint;
  readonly planId: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether what the command answers comes to stand below, on the same terminal. */
  readonly toldBelow: boolean;
}

/** A block of lines that is drawn over itself. Lines are cut to the terminal, so that each takes one row. */
export class LiveView implements PlanView {
  readonly #deps: LiveViewDeps;
  #drawn: readonly string[] = [];
  #word = "";
  #last = "";
  #frame: NodeJS.Timeout | undefined;
  readonly #ticks: NodeJS.Timeout;
  readonly #since = new Map<number, number>();

  constructor(deps: LiveViewDeps) {
    this.#deps = deps;
    this.#ticks = setInterval(() => {
      if (this.#drawn.length > 0) this.#draw();
    }, TICK_MS);
    this.#ticks.unref();
  }

  show(observation: Observation): void {
    this.#deps.progress.take(observation);
    for (const { index, status } of this.#deps.progress.steps.values())
      if (status !== "running") this.#since.delete(index);
      else if (!this.#since.has(index)) this.#since.set(index, this.#deps.now());
    this.#word = "";
    this.#frame ??= setTimeout(() => this.#draw(), FRAME_MS);
  }

  say(text: string, stays = false): void {
    if (stays) this.#last = text;
    else this.#word = text;
    this.#draw();
  }

  close(how: Closing): void {
    clearInterval(this.#ticks);
    // What is asked below is said there, with all that belongs to it.
    if (how === "asked") Object.assign(this.#deps.progress, { ask: "", changes: "" });
    if (how === "told" && this.#deps.toldBelow) this.#erase();
    else this.#draw();
    this.#drawn = [];
  }

  #draw(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
    const { columns = 80, rows = 24 } = this.#deps.stream;
    const lines = this.#lines().map((line) => cutPainted(line.replace(/\s*\n\s*/g, " "), columns - 1));
    // What does not fit is the oldest part below the first line.
    const kept = lines.length < rows ? lines : [lines[0] ?? "", ...lines.slice(lines.length - rows + 2)];
    // Line by line, and what is left below: a cleared screen would flicker, and some terminals keep a copy of it.
    this.#deps.stream.write(`${this.#back()}${kept.map((line) => `${line}\x1b[K\n`).join("")}\x1b[J`);
    this.#drawn = kept;
  }

  #erase(): void {
    clearTimeout(this.#frame);
    if (this.#drawn.length > 0) this.#deps.stream.write(`${this.#back()}\x1b[J`);
  }

  /** To the first line of the last drawing. In a window that has become narrower a line of it takes several rows. */
  #back(): string {
    const { columns = 80 } = this.#deps.stream;
    const rows = this.#drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(paintedWidth(line) / Math.max(1, columns))),
      0,
    );
    return rows === 0 ? "" : `\x1b[${rows}A\r`;
  }

  #lines(): string[] {
    const { progress, paint, planId } = this.#deps;
    const { stage, decisions, steps, changes, failure, said, ask, activity, spending, subplans } = progress;
    const used = spending.words;
    const stepLines = [...steps.values()].flatMap((step) => [
      `${stepLine(step, paint)}${this.#elapsed(step.index)}`,
      ...subplans.linesOf(step.index),
      ...(step.status === "running" ? this.#output() : []),
    ]);
    const outside = activity === "" ? [] : [`${paint.cyan("▸")} ${activity}`, ...this.#output()];
    const rest = [
      used === "" ? "" : paint.dim(`Used: ${used}`),
      changes,
      failure,
      said,
      ask,
      this.#word,
      this.#last,
    ]
      .filter((text) => text !== "")
      .flatMap((text) => text.split("\n"));
    return [
      `Plan ${planId}${stage === "" ? "" : `  ${stage}`}`,
      ...decisions,
      ...stepLines,
      ...subplans.linesOf(undefined),
      ...outside,
      ...rest,
    ];
  }

  #output(): string[] {
    const { lastOutput } = this.#deps.progress;
    return lastOutput === "" ? [] : [this.#deps.paint.dim(`  | ${lastOutput}`)];
  }

  #elapsed(index: number): string {
    const since = this.#since.get(index);
    const seconds = since === undefined ? 0 : Math.floor((this.#deps.now() - since) / 1000);
    return seconds < TELL_SECONDS ? "" : this.#deps.paint.dim(`  ${seconds} s`);
  }
}
