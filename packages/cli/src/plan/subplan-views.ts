import type { Paint } from "../output/paint.ts";
import { type Facts, number, text } from "./facts.ts";
import { shortId } from "./resolve-plan-id.ts";

interface SubplanView {
  readonly step: number | undefined;
  readonly planId: string | undefined;
  readonly status: string;
  readonly asks: string | undefined;
}

const STATUS: Readonly<Record<string, string>> = {
  started: "running",
  retried: "running",
  completed: "not merged yet",
  merged: "merged",
  failed: "failed",
  cancelled: "cancelled",
  waiting: "waits",
};

/** The plans that a plan has started, as its events tell of them. */
export class SubplanViews {
  readonly #known = new Map<string, SubplanView>();
  readonly #paint: Paint;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /** What an event tells of a subplan, as a line of a log; nothing if it is about none. */
  take(event: string, facts: Facts): string[] {
    const name = text(facts["subplan"]);
    const how = event.slice("plan.child_".length);
    if (!event.startsWith("plan.child_") || name === undefined || !Object.hasOwn(STATUS, how)) return [];
    const known = this.#known.get(name);
    const planId = text(facts["child_plan"]) ?? known?.planId;
    const asks = how === "waiting" ? (text(facts["prompt"]) ?? "an answer") : undefined;
    const step = number(facts["step"]) ?? known?.step;
    this.#known.set(name, { step, planId, status: STATUS[how] ?? how, asks });
    const why = text(facts["reason"]);
    switch (how) {
      case "started":
        return [`Subplan ${name}: started as ${planId ?? ""}`];
      case "completed":
        return [];
      case "merged":
        return [`${this.#paint.green("✓")} Subplan ${name} is merged`];
      case "waiting":
        return [`Subplan ${name} waits for: ${asks}`];
      default:
        return [`Subplan ${name} ${how}${why === undefined ? "" : `: ${why}`}`];
    }
  }

  clear(): void {
    this.#known.clear();
  }

  /** Those of one step, a line each; of no step, where the peer names none. */
  linesOf(step: number | undefined): string[] {
    return [...this.#known]
      .filter(([, view]) => view.step === step)
      .flatMap(([name, { planId, status, asks }]) => [
        `  ${this.#markOf(status)} ${name}${planId === undefined ? "" : ` ${this.#paint.dim(shortId(planId))}`} ${status}`,
        ...(asks === undefined
          ? []
          : [
              `    waits for: ${asks}`,
              ...(planId === undefined ? [] : [`    agents plan status ${planId}`]),
            ]),
      ]);
  }

  #markOf(status: string): string {
    if (status === "merged") return this.#paint.green("✓");
    if (status === "failed") return this.#paint.red("✗");
    return status === "cancelled" ? this.#paint.dim("-") : this.#paint.cyan("▸");
  }
}
