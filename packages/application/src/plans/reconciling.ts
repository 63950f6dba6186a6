import {
  type Check,
  checkOfInvariant,
  type Decision,
  type Invariant,
  inCheckOrder,
  invariantFrom,
  type Overridden,
  type Plan,
  type Project,
  reconcile,
} from "@cleveragents/domain";
import type { RegistryStore } from "../ports/registry-store.ts";
import { newDecision } from "./deciding.ts";
import { contextOf } from "./decision-context.ts";
import { standing } from "./decision-links.ts";
import type { NamedEvent } from "./plan-writer.ts";
import type { PlanDeps } from "./turn.ts";

/** A registered invariant; one that was removed stays in the registry as no longer active. */
export type InvariantEntry = Invariant & { readonly active: boolean };

/** All that a plan could be held to: what it and its action declare, and what is registered for any of its scopes. */
export async function invariantsOf(
  registry: Pick<RegistryStore, "list">,
  plan: Pick<Plan, "planId" | "action" | "project" | "invariants">,
): Promise<readonly Invariant[]> {
  const entries = await registry.list("invariant");
  const registered = entries
    .map(({ document }) => document as unknown as InvariantEntry) // checked when it was registered
    .filter(({ active, scope, source }) => {
      if (!active) return false;
      const of = { global: "global", project: plan.project.name, action: plan.action, plan: plan.planId };
      return source === of[scope];
    })
    .map(({ active: _, ...invariant }): Invariant => invariant);
  return [...(plan.invariants ?? []), ...(await ofProject(registry, plan.project.name)), ...registered];
}

/** Those that the project's own document declares, as it stands now. */
async function ofProject(registry: Pick<RegistryStore, "list">, name: string): Promise<readonly Invariant[]> {
  const entry = (await registry.list("project")).find((project) => project.name === name);
  const { invariants = [] } = (entry?.document ?? {}) as unknown as Partial<Project>;
  return invariants.map((document, n) =>
    invariantFrom(document, { id: `inv_project_${n + 1}`, scope: "project", source: name }),
  );
}

/**
 * The plan with the invariants that hold for it, each a decision under the root, and a check where it can be checked.
 * What is decided already stays decided.
 */
export async function withInvariants(
  deps: PlanDeps,
  plan: Plan,
): Promise<{
  readonly plan: Plan;
  readonly decisions: readonly Decision[];
  readonly events: readonly NamedEvent[];
}> {
  const decided = standing(plan).filter(({ type }) => type === "invariant_enforced").length;
  if (decided > 0 && decided === plan.reconciled?.effective.length)
    return { plan, decisions: [], events: [] };
  const { effective, overridden } = reconcile(await invariantsOf(deps.registry, plan));
  const others = (plan.checks ?? []).filter(({ kind }) => kind !== "invariant");
  const held: Plan = {
    ...plan,
    reconciled: { effective, overridden },
    checks: inCheckOrder([...others, ...effective.map((invariant) => checkFor(plan, invariant))]),
  };
  if (effective.length === 0) return { plan: held, decisions: [], events: [] };
  const decisions: Decision[] = [];
  for (const invariant of effective) {
    const at = { ...held, decisions: [...held.decisions, ...decisions] };
    decisions.push(await decisionFor(deps, at, invariant, overridden));
  }
  const event: NamedEvent = {
    key: `a${plan.attempt}:invariants`,
    name: "invariant.reconciled",
    data: {
      effective: effective.map(({ id, text, scope, source }) => ({ id, text, scope, source })),
      overridden: overridden.map(({ invariant, by }) => ({
        id: invariant.id,
        text: invariant.text,
        by: by.id,
      })),
    },
  };
  return { plan: held, decisions, events: [event] };
}

/** What no machine can check is judged by the actor that is there for it. */
function checkFor({ sources }: Plan, invariant: Invariant): Check {
  const check = checkOfInvariant(invariant);
  return check.probe === undefined && sources?.invariant !== undefined
    ? { ...check, judge: "invariant" }
    : check;
}

async function decisionFor(
  deps: PlanDeps,
  plan: Plan,
  invariant: Invariant,
  overridden: readonly Overridden[],
): Promise<Decision> {
  const { text, scope, source, probe, nonOverridable } = invariant;
  const lost = overridden.filter(({ by }) => by.id === invariant.id);
  const from = scope === "global" ? "of everybody" : `of the ${scope} ${source}`;
  const judge = plan.sources?.invariant?.actor;
  const checked =
    probe !== undefined
      ? "It is checked before the changes are offered."
      : judge !== undefined
        ? `It is text alone: ${judge} judges it before the changes are offered.`
        : "It is text alone: whoever reviews the changes checks it.";
  return newDecision(deps, plan, {
    type: "invariant_enforced",
    parentId: plan.decisions[0]?.decisionId ?? null,
    question: `Which invariant holds (${from})?`,
    chosen: text,
    alternatives: lost.map(({ invariant: other }) => ({
      id: other.id,
      description: `${other.text} (${other.scope === "global" ? "global" : `${other.scope} ${other.source}`})`,
    })),
    rationale: nonOverridable === true ? `Nobody may override it. ${checked}` : checked,
    context: await contextOf(plan),
  });
}
