import { money, thousands } from "../output/words.ts";
import type { Facts } from "./facts.ts";
import { number, record, text } from "./facts.ts";

const BUDGETS: Readonly<Record<string, string>> = {
  tool_calls: "tool calls",
  cost_usd: "USD",
  tokens: "tokens",
  seconds: "seconds",
};

/** What a plan has used, as far as the events that were seen tell. */
export class Spending {
  #calls = 0;
  #tokens = 0;
  #cost: number | undefined;

  /** Takes an event in; the answer is what is worth a line of a log. */
  take(name: string, facts: Facts): string[] {
    switch (name) {
      case "tool.invoked":
        this.#calls += 1;
        return [];
      case "model.answered":
        return this.#answered(facts);
      case "budget.warning":
      case "budget.exceeded":
        return this.#budget(name === "budget.exceeded", facts);
      default:
        return [];
    }
  }

  /** `3 tool calls, 1,234 tokens, $0.0123`; empty before anything was used. */
  get words(): string {
    return [
      this.#calls === 0 ? "" : `${this.#calls} tool call${this.#calls === 1 ? "" : "s"}`,
      this.#tokens === 0 ? "" : `${thousands(this.#tokens)} tokens`,
      this.#cost === undefined ? "" : money(this.#cost),
    ]
      .filter((part) => part !== "")
      .join(", ");
  }

  #answered(facts: Facts): string[] {
    const used = Object.values(record(facts["usage"]) ?? {}).reduce<number>(
      (sum, tokens) => sum + (number(tokens) ?? 0),
      0,
    );
    const cost = number(facts["cost_usd"]);
    this.#tokens += used;
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
    const parts = [`${thousands(used)} tokens`, ...(cost === undefined ? [] : [money(cost)])];
    return [`Model: ${text(facts["model"]) ?? "a model"} has answered, ${parts.join(", ")}`];
  }

  #budget(gone: boolean, facts: Facts): string[] {
    const [limit, used] = [number(facts["limit"]), number(facts["used"])];
    const kind = text(facts["budget"]) ?? "";
    if (limit === undefined || used === undefined) return [];
    const whose = text(facts["name"]) ?? text(facts["account"]);
    return [
      `Budget: ${used} of ${limit} ${BUDGETS[kind] ?? kind} used${whose === undefined ? "" : ` (${whose})`}${gone ? "; no more is left" : ""}`,
    ];
  }
}
