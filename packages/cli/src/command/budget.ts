import { usageError } from "../cli-error.ts";

const BUDGETS = ["tool_calls", "cost_usd", "tokens", "seconds"] as const;

/** `K=N` entries as a budget; wrong usage for a kind that is none. */
export function readBudget(
  entries: readonly string[],
): Partial<Record<(typeof BUDGETS)[number], number>> | undefined {
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map((entry) => {
      const [, name = "", amount = ""] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(entry) ?? [];
      const kind = BUDGETS.find((known) => known === name);
      if (kind === undefined)
        throw usageError(`--budget is written K=N with K one of ${BUDGETS.join(", ")}, not "${entry}"`);
      return [kind, Number(amount)];
    }),
  );
}
