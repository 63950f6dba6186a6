import type { AdviceRole, Check, FileChange, JsonObject, Plan, PlanSource } from "@cleveragents/domain";
import type { Sandbox } from "../ports/workspace.ts";
import { ask } from "./asking.ts";
import { currentRound, treeOf, verdictEvent, withVerdict } from "./check-calls.ts";
import { decisionEvent, newDecision } from "./deciding.ts";
import { contextOf } from "./decision-context.ts";
import { sourceOf } from "./decision-source.ts";
import { fail } from "./failing.ts";
import { invariantForm, judgementOn, reviewForm, reviewVerdict } from "./judgement-forms.ts";
import type { NamedEvent } from "./plan-writer.ts";
import type { Verdict } from "./probing.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/**
 * One turn of an actor's opinion on the changes: on all invariants that no machine can check, or a review. What is required
 * and cannot be had stops the plan; what is informational is then said to be missing.
 */
export async function judgeChecks(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  checks: readonly Check[],
): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  const role = checks[0]?.judge ?? "review";
  const source = plan.sources?.[role] as PlanSource; // who makes such a check has looked
  const round = currentRound(plan);
  const tree = treeOf(plan, sandbox);
  const compared = await sandbox.compare(sandbox.baseTree, tree);
  const { files } = compared.changeset;
  const said = (of: Plan, verdict: (check: Check) => Verdict, events: readonly NamedEvent[] = []) =>
    record({ deps, turn, of, checks, by: source.actor, verdict, events });
  if (files.length === 0) return said(plan, () => ({ passed: true, message: "nothing was changed" }));
  // What a check that was cut off has left is none of the changes.
  if (!isBegun(plan, role, round)) await sandbox.restore(tree);
  const changes = await compared.patch();
  const advice = await sourceOf(deps, plan, role).advise?.(deps, turn, {
    role,
    about: round,
    material: materialOf(checks, changes),
    facts: factsOf(checks, files),
    changes,
    files: files.filter(({ op }) => op !== "delete").map(({ path }) => path),
    form: role === "review" ? reviewForm : invariantForm(checks.map(({ id }) => id)),
  });
  if (advice === undefined) throw new Error(`actors of the kind ${source.kind} judge nothing`);
  if (advice.ask !== undefined) return ask(deps, turn, advice.plan, advice.ask, advice.events);
  const { answer, failure, model } = advice;
  if (failure !== undefined && checks.some(({ mode }) => mode === "required"))
    return fail(deps, turn, advice.plan, failure, [], advice.events);
  if (failure !== undefined) {
    const message = `it was not looked at: ${failure.message}`;
    return said(
      advice.plan,
      () => ({ passed: false, message, data: { reason: failure.reason } }),
      advice.events,
    );
  }
  if (answer === undefined) {
    await writer.write(advice.plan, "working", advice.events);
    return "continue";
  }
  const verdict = ({ id }: Check) => (role === "review" ? reviewVerdict(answer) : judgementOn(answer, id));
  const decision = newDecision(deps, advice.plan, {
    type: "validation_response",
    phase: "execute",
    parentId: plan.decisions[0]?.decisionId ?? null,
    step: plan.steps.length,
    ...inWords(checks, verdict, role),
    context: { ...(await contextOf(plan)), actor: source.actor, ...(model === undefined ? {} : { model }) },
  });
  const decided: Plan = { ...advice.plan, decisions: [...advice.plan.decisions, decision] };
  return said(decided, verdict, [...advice.events, decisionEvent(decision)]);
}

async function record(of: {
  readonly deps: PlanDeps;
  readonly turn: Turn;
  readonly of: Plan;
  readonly checks: readonly Check[];
  readonly by: string;
  readonly verdict: (check: Check) => Verdict;
  readonly events: readonly NamedEvent[];
}): Promise<TurnOutcome> {
  const judged = of.checks.reduce(
    (plan, check) => withVerdict(plan, check, { ...of.verdict(check), judgedBy: of.by }, 0),
    of.of,
  );
  await of.turn.writer.write(judged, "working", [
    ...of.events,
    ...of.checks.map(({ id }) => verdictEvent(judged, id)),
  ]);
  return "continue";
}

function inWords(checks: readonly Check[], verdict: (check: Check) => Verdict, role: "review" | "invariant") {
  const verdicts = checks.map((check) => ({ check, ...verdict(check) }));
  const against = verdicts.filter(({ passed }) => !passed);
  if (role === "review")
    return {
      question: "Do the changes pass the review?",
      chosen: against.length === 0 ? "they pass" : "they do not pass",
      rationale: verdicts.map(({ message }) => message).join("; "),
    };
  return {
    question: "Do the invariants hold that no machine can check?",
    chosen: against.length === 0 ? "all hold" : `${against.length} of ${checks.length} do not hold`,
    rationale: verdicts.map(({ check, message }) => `${check.name}: ${message}`).join("; "),
  };
}

function materialOf(checks: readonly Check[], changes: string): string {
  const invariants = checks.filter(({ kind }) => kind === "invariant");
  const named = invariants.map(({ id, text }) => `- ${id}: ${text}`).join("\n");
  const machine = named === "" ? "" : `Invariants to judge:\n${named}\n\n`;
  return `${machine}The changes:\n${changes}`;
}

function factsOf(checks: readonly Check[], files: readonly FileChange[]): JsonObject {
  const invariants = checks.filter(({ kind }) => kind === "invariant");
  return {
    ...(invariants.length === 0
      ? {}
      : { invariants: invariants.map(({ id, text, name }) => ({ id, text: text ?? name })) }),
    files: files.map(({ path, op }) => ({ path, op })),
  };
}

/** Whether somebody looks at this round already, in whichever way. */
function isBegun(
  { conversations, remotes, graphs, looks, attempt }: Plan,
  role: AdviceRole,
  round: string,
): boolean {
  return [conversations?.[role], remotes?.[role], graphs?.[role], looks?.[role]].some(
    (known) => known?.attempt === attempt && known.about === round,
  );
}
