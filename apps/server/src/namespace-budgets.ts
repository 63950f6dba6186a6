import { BUDGET_KINDS, type BudgetLimits, parseName } from "@cleveragents/domain";
import { ConfigError } from "./config-error.ts";

/** What `CLEVERAGENTS_NAMESPACE_BUDGETS` says, as in `local:tool_calls=500,cost_usd=5;team:cost_usd=20`: per day. */
export function namespaceBudgets(
  text: string | undefined,
): Readonly<Record<string, BudgetLimits>> | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const entries = text.split(";").map((entry) => entry.trim());
  return Object.fromEntries(entries.filter((entry) => entry !== "").map(budgetOf));
}

function budgetOf(entry: string): [string, BudgetLimits] {
  const [, name = "", amounts = ""] = /^([^:]+):(.+)$/.exec(entry) ?? [];
  try {
    parseName(`${name}/x`);
  } catch {
    throw refused(entry);
  }
  return [name, Object.fromEntries(amounts.split(",").map((amount) => amountOf(entry, amount.trim())))];
}

function amountOf(entry: string, amount: string): [string, number] {
  const [, kind = "", limit = ""] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(amount) ?? [];
  if (!BUDGET_KINDS.some((known) => known === kind)) throw refused(entry);
  return [kind, Number(limit)];
}

function refused(entry: string): ConfigError {
  return new ConfigError(
    `CLEVERAGENTS_NAMESPACE_BUDGETS has "${entry}": write NAMESPACE:KIND=N,…;… with kinds ${BUDGET_KINDS.join(", ")}`,
  );
}
