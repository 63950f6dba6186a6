import type { Paint } from "../output/paint.ts";
import { bytes, count } from "../output/words.ts";
import { askText } from "./ask-text.ts";
import { type Facts, number, text } from "./facts.ts";
import type { Observation } from "./observe.ts";
import { Spending } from "./spending.ts";
import { paintState, type StepView, stepLine } from "./step-line.ts";
import { SubplanViews } from "./subplan-views.ts";

const STAGES: Readonly<Record<string, string>> = {
  copying: "copying",
  comparing: "comparing",
  applying: "writing",
  dependencies: "copying dependencies,",
};

/** Events that say nothing about whether something else is over. */
const GOES_ON: ReadonlySet<string> = new Set(["model.output", "tool.output", "budget.warning"]);

/**
 * What is known of a plan that is being followed. Each observation changes it and is told as lines for a log; the live
 * view draws the whole. Members that an event lacks are left out of the words.
 */
export class Progress {
  stage = "";
  changes = "";
  ask = "";
  failure = "";
  /** What the agent said last. */
  said = "";
  /** Last line that a tool or a model wrote. */
  lastOutput = "";
  /** What goes on outside of steps: a model is thinking, a large project is copied. */
  activity = "";
  readonly decisions: string[] = [];
  readonly steps = new Map<number, StepView>();
  readonly spending = new Spending();
  readonly subplans: SubplanViews;
  readonly #paint: Paint;
  readonly #showOutput: boolean;

  constructor(paint: Paint, showOutput: boolean) {
    this.#paint = paint;
    this.#showOutput = showOutput;
    this.subplans = new SubplanViews(paint);
  }

  /** Takes an observation in; the answer is what is new, as lines. */
  take({ event, ask, text, taskState }: Observation): string[] {
    if (taskState === "TASK_STATE_WORKING") this.ask = "";
    const lines = event === undefined ? [] : this.#event(event.name, event.facts);
    if (text !== undefined) {
      this.said = text;
      lines.push(...text.split("\n"));
    }
    if (ask !== undefined) {
      this.ask = `Waits for: ${askText(ask)}`;
      lines.push(...this.ask.split("\n"));
    }
    return lines;
  }

  #event(name: string, facts: Facts): string[] {
    if (!GOES_ON.has(name)) this.activity = "";
    switch (name) {
      case "plan.phase_changed":
      case "plan.state_changed":
      case "plan.cancelled":
        return this.#phase(facts);
      case "plan.reverted":
        return this.#reverted(facts);
      case "plan.queued":
        return [`Waits for a place: number ${number(facts["position"]) ?? 1} in the line`];
      case "plan.place_taken":
        return ["Has a place"];
      case "step.started":
        return this.#step(facts, "running");
      case "step.finished":
        return this.#step(facts, text(facts["status"]) ?? "done");
      case "sandbox.progress":
        return this.#sandbox(facts);
      case "decision.created":
        return this.#decision(facts);
      case "tool.output":
      case "model.output":
        return this.#output(text(facts["chunk"]) ?? "");
      case "plan.changeset_ready":
        return this.#changeset(facts);
      case "model.asked":
        this.lastOutput = "";
        this.activity = `${text(facts["model"]) ?? "the model"} is thinking`;
        return [];
      case "model.answered":
      case "model.failed":
        this.activity = "";
        return this.spending.take(name, facts);
      case "validation.started":
        return [`Check: ${text(facts["name"]) ?? ""}`];
      case "validation.passed":
      case "validation.failed":
      case "invariant.enforced":
      case "invariant.violated":
        return this.#checked(facts);
      case "repair.started":
        return [`Repair: ${text(facts["check"]) ?? ""}`];
      case "plan.constrained":
        return [...this.#phase(facts), ...this.#failure("Held back", facts)];
      case "plan.rejected":
        return this.#phase(facts);
      case "plan.errored":
        return this.#failure("Error", facts);
      case "plan.apply_refused":
        return this.#failure("Not applied", facts);
      default:
        return [...this.spending.take(name, facts), ...this.subplans.take(name, facts)];
    }
  }

  #phase({ phase, state }: Facts): string[] {
    // The log has the model's own word for what the methods call running.
    const named = [text(phase), state === "processing" ? "running" : text(state)].filter(
      (word) => word !== undefined,
    );
    const stage = named
      .map((word, index) => (index === 1 ? paintState(word, this.#paint) : word))
      .join(" / ");
    if (stage === "" || stage === this.stage) return [];
    this.stage = stage;
    return [`Stage: ${stage}`];
  }

  #checked(facts: Facts): string[] {
    const name =
      facts["kind"] === "invariant" ? `invariant ${text(facts["name"]) ?? ""}` : (text(facts["name"]) ?? "");
    const passed = facts["passed"] === true;
    const mark = passed ? this.#paint.green("✓") : this.#paint.red("✗");
    const message = text(facts["message"]);
    return [`${mark} ${name}${passed || message === undefined ? "" : `: ${message}`}`];
  }

  /** Steps and what they came to are of the attempt that is over. */
  #reverted(facts: Facts): string[] {
    this.steps.clear();
    this.subplans.clear();
    this.changes = "";
    this.failure = "";
    const why = text(facts["reason"]);
    return [
      `Back to ${text(facts["to"]) ?? "an earlier phase"}${why === undefined ? "" : `: ${why}`}`,
      ...this.#phase(facts),
    ];
  }

  #step(facts: Facts, status: string): string[] {
    const index = number(facts["index"]);
    if (index === undefined) return [];
    const known = this.steps.get(index);
    const label = text(facts["label"]) ?? known?.label ?? "";
    const step = { index, label, status, detail: text(facts["detail"]) };
    this.steps.set(index, step);
    this.failure = "";
    this.lastOutput = "";
    this.activity = "";
    return [stepLine(step, this.#paint)];
  }

  /** Told of large projects alone. */
  #sandbox(facts: Facts): string[] {
    const files = number(facts["files"]);
    const size = number(facts["bytes"]);
    if (files === undefined || size === undefined) return [];
    const seconds = number(facts["seconds"]) ?? 0;
    const so = STAGES[text(facts["stage"]) ?? ""] ?? "reading";
    this.activity = `Sandbox: ${so} ${count(files, "file")}${size === 0 ? "" : `, ${bytes(size)}`}${seconds === 0 ? "" : ` (${seconds} s)`}`;
    return [this.activity];
  }

  #decision(facts: Facts): string[] {
    const question = text(facts["question"]) ?? text(facts["label"]);
    const chosen = text(facts["chosen"]);
    if (question === undefined && chosen === undefined) return [];
    // What was asked for is no choice that one could be unsure of.
    const confidence = facts["type"] === "prompt_definition" ? undefined : number(facts["confidence"]);
    const sure = confidence === undefined ? "" : this.#paint.dim(` (${Math.round(confidence * 100)} %)`);
    const line = `◇ ${question ?? "decided"}${chosen === undefined || chosen === "" ? "" : ` -> ${this.#paint.bold(chosen)}`}${sure}`;
    this.decisions.push(line);
    return [line];
  }

  #output(chunk: string): string[] {
    const lines = chunk.split("\n").filter((line) => line.trim() !== "");
    this.lastOutput = lines.at(-1) ?? this.lastOutput;
    return this.#showOutput ? lines.map((line) => this.#paint.dim(`  | ${line}`)) : [];
  }

  #failure(what: string, { message, reason }: Facts): string[] {
    const why = text(message) ?? text(reason) ?? "no reason given";
    this.failure = `${this.#paint.red(`${what}:`)} ${why}`;
    return [this.failure];
  }

  #changeset({ files, insertions, deletions, digest }: Facts): string[] {
    const sum = [
      number(files) === undefined ? "" : count(number(files) ?? 0, "file"),
      number(insertions) === undefined ? "" : `+${insertions} -${number(deletions) ?? 0}`,
    ].filter((part) => part !== "");
    const parts = [sum.join(", "), text(digest) ?? ""].filter((part) => part !== "");
    if (parts.length === 0) return [];
    this.changes = `Changes: ${parts.join("  ")}`;
    return [this.changes];
  }
}
