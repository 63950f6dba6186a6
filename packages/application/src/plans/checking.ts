import {
  type Changeset,
  type Check,
  failedChecks,
  type JsonObject,
  nextCheck,
  nextJudged,
  type Plan,
  type Probe,
} from "@cleveragents/domain";
import type { Sandbox } from "../ports/workspace.ts";
import type { ToolOutcome } from "../tools/tool-runner.ts";
import { compact } from "../wire/message.ts";
import { callFor, currentRound, namesOf, treeOf, verdictEvent, withVerdict } from "./check-calls.ts";
import { constrain, repair } from "./constraining.ts";
import { judgeChecks } from "./judging.ts";
import { without } from "./plan-document.ts";
import { judge, judgeAnswer, type Verdict } from "./probing.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

const SHELL = "builtin/shell";

/**
 * The checks at the end of Execute, one a turn, each in the state that the last step has left. Undefined when all that
 * has to hold holds, so that the changes can be offered.
 */
export async function runChecks(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
): Promise<TurnOutcome | undefined> {
  const { plan } = turn;
  const checks = plan.checks ?? [];
  const chosen = checks.find(({ id }) => id === plan.chosenRepair);
  if (chosen !== undefined)
    return repair(deps, { ...turn, plan: without(plan, "chosenRepair") }, sandbox, chosen);
  const next = nextCheck(checks, currentRound(plan));
  if (next !== undefined) return runCheck(deps, turn, sandbox, next);
  // Whose opinion costs something is asked when there is nothing else against the changes.
  const judged =
    failedChecks(checks, currentRound(plan)).length > 0 ? [] : nextJudged(checks, currentRound(plan));
  if (judged.length > 0) return judgeChecks(deps, turn, sandbox, judged);
  return constrain(deps, turn, sandbox);
}

async function runCheck(deps: PlanDeps, turn: Turn, sandbox: Sandbox, check: Check): Promise<TurnOutcome> {
  const { plan } = turn;
  const probe = check.probe as Probe; // only checks with a probe are run
  const tree = treeOf(plan, sandbox);
  const { changeset } =
    probe.kind === "command" ? { changeset: NOTHING } : await sandbox.compare(sandbox.baseTree, tree);
  const known = judge(probe, plan, changeset);
  if (known !== undefined) {
    const judged = withVerdict(plan, check, known, 0);
    await turn.writer.write(judged, "working", [verdictEvent(judged, check.id)]);
    return "continue";
  }
  // A check that was cut off, or one before it, may have left something behind.
  await sandbox.restore(tree);
  return callFor(deps, turn, sandbox, {
    label: `check ${check.name}`,
    order: (plan.checks ?? []).indexOf(check),
    callId: `${currentRound(plan)}:check:${check.id}`,
    about: { check: check.id },
    tool: probe.kind === "tool" ? probe.tool : SHELL,
    args: probe.kind === "tool" ? probe.input : probe.kind === "command" ? probe.run : {},
    started: { name: "validation.started", data: namesOf(check) },
    async ended(after, outcome, durationMs) {
      await sandbox.restore(tree);
      const said = verdictOn(probe, after, changeset, outcome);
      return withVerdict(after, check, said, durationMs);
    },
    event: (after) => verdictEvent(after, check.id),
  });
}

/** A command's exit code says it all. */
const NOTHING: Pick<Changeset, "files"> = { files: [] };

function verdictOn(
  probe: Probe,
  plan: Plan,
  changeset: Pick<Changeset, "files">,
  outcome: ToolOutcome,
): Verdict {
  if (outcome.ok) {
    const { value, summary } = outcome.result;
    if (probe.kind === "tool") return judgeAnswer(probe, plan, changeset, value, summary);
    return { passed: true, message: summary };
  }
  const { message, reason, details } = outcome.error;
  const output = ["stderr", "stdout"]
    .map((stream) => details[stream])
    .find((text) => typeof text === "string" && text.trim() !== "");
  return {
    passed: false,
    message,
    data: compact({
      reason,
      output: typeof output === "string" ? lastLines(output) : undefined,
    }) as JsonObject,
  };
}

function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-12).join("\n").slice(-2000);
}
