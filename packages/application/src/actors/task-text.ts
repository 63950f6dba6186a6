import type { Decision, Plan } from "@cleveragents/domain";
import { standing } from "../plans/decision-links.ts";

/** What a plan is about, as text for a model. Guidance is told where it came, not here. */
export function taskText(plan: Plan, decisions: boolean): string {
  const args = Object.entries(plan.arguments);
  const done = (plan.checks ?? []).filter(({ kind }) => kind === "definition_of_done");
  const invariants = plan.reconciled?.effective ?? plan.invariants ?? [];
  const taken = decisions ? standing(plan).filter(isTold) : [];
  const { steps } = decisions ? stepsOf(plan) : { steps: [] };
  return [
    `Project: ${plan.project.name}`,
    `Task: ${plan.description}`,
    section(
      "Arguments",
      args.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`),
    ),
    section(
      "It is done when",
      done.map(({ text, name }) => text ?? name),
    ),
    section(
      "What has to stay true",
      invariants.map(({ text }) => text),
    ),
    section("Decided", taken.map(decisionText)),
    section("Steps that were thought of", steps),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What whoever decides has thought of. */
export function stepsOf(plan: Plan): { readonly steps: string[] } {
  return { steps: [...((plan.conversations?.strategy ?? plan.remotes?.strategy)?.submitted?.steps ?? [])] };
}

function isTold({ type }: Decision): boolean {
  return type === "strategy_choice" || type === "implementation_choice" || type === "user_intervention";
}

function decisionText({ type, question, chosen, rationale, alternatives }: Decision): string {
  if (type === "user_intervention") return `${question} The user says: ${chosen}`;
  const words = alternatives.find(({ id }) => id === chosen)?.description ?? "";
  const why = rationale === undefined ? "" : ` (${rationale})`;
  return `${question} ${chosen}${words === "" || words === chosen ? "" : `: ${words}`}${why}`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`;
}
