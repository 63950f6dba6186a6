import type { BudgetBreach } from "@cleveragents/domain";
import type { Models } from "../models/models.ts";
import type { ModelRequest } from "../ports/language-model.ts";
import type { TurnBudget } from "../ports/message-actor.ts";
import { LEAST_ANSWER } from "./charging.ts";
import { MARGIN } from "./thinking.ts";

/** That something was not done, since nothing is left for it; for people and for programs. */
export function budgetWords({ kind, limit, used }: BudgetBreach, what: string) {
  return {
    text: `The budget of this session is used up (${kind}: ${used} of ${limit}), and ${what}.`,
    metadata: { reason: "BUDGET_EXCEEDED", budget: kind, limit, used },
  };
}

/** The request as it may be sent: what is left of the session's budget bounds its answer, and is taken before. */
export async function pay(
  models: Models,
  budget: TurnBudget | undefined,
  model: string,
  request: ModelRequest,
): Promise<{ readonly request: ModelRequest } | { readonly breach: BudgetBreach }> {
  if (budget === undefined) return { request };
  const { prices } = (await models.find(model)).settings;
  const { tokens = Number.POSITIVE_INFINITY, cost_usd = Number.POSITIVE_INFINITY } = await budget.left();
  const input = Math.ceil(models.estimate(request) * MARGIN);
  const wanted = request.maxTokens ?? LEAST_ANSWER;
  const forInput = prices === undefined ? 0 : (input * prices.input) / 1e6;
  const affordable =
    prices === undefined || prices.output === 0 ? wanted : ((cost_usd - forInput) * 1e6) / prices.output;
  const most = Math.floor(Math.min(wanted, tokens - input, affordable));
  const maxTokens = Math.max(most, Math.min(wanted, LEAST_ANSWER));
  const breach = await budget.reserve({
    tokens: input + maxTokens,
    ...(prices === undefined ? {} : { cost_usd: forInput + (maxTokens * prices.output) / 1e6 }),
  });
  return breach === undefined ? { request: { ...request, maxTokens } } : { breach };
}
