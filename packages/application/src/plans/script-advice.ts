import {
  ACTOR_ROLES,
  ADVICE_ROLES,
  type AdviceRole,
  type JsonObject,
  type JsonValue,
  type Plan,
  type PlanSource,
  type Script,
  type ScriptLook,
  type ScriptStep,
} from "@cleveragents/domain";
import { handedIn, isObject, jsonIn } from "../actors/handed-in.ts";
import { ExpressionError, holds, type ScriptScope } from "../script/expression.ts";
import { fill } from "../script/template.ts";
import { scopeOf } from "./decision-context.ts";
import type { Advice, AdviceRequest } from "./decision-source.ts";
import { lookCall } from "./look-call.ts";
import type { PreflightProblem } from "./preflight.ts";
import { stepLabel, toolOfStep } from "./script-steps.ts";
import type { PlanDeps, Turn } from "./turn.ts";

/** Steps that change nothing, or may not: of calls it depends on the tool. */
const LOOKS: ReadonlySet<ScriptStep["kind"]> = new Set(["read", "call", "say", "fail"]);

/** Why a script cannot look on; undefined when it can. */
export function whyNoAdvice({ answer, steps }: Script): string | undefined {
  if (answer === undefined) return "its script has no `answer`, which is what a script says that looks on";
  const at = steps.findIndex(({ kind }) => !LOOKS.has(kind));
  return at < 0
    ? undefined
    : `step ${at + 1} of its script is \`${steps[at]?.kind}\`, and who looks on may only read, call tools that look, and say`;
}

/** What stands in the way of scripts that look on, by the tools that there are. */
export function adviceProblems({ tools }: Pick<PlanDeps, "tools">, plan: Plan): readonly PreflightProblem[] {
  return ADVICE_ROLES.flatMap((role) => {
    const source = plan.sources?.[role];
    if (source?.kind !== "script") return [];
    return scriptOf(source).steps.flatMap((step): PreflightProblem[] => {
      const tool = toolOfStep(step);
      const descriptor = tool === undefined ? undefined : tools.find(tool);
      if (tool === undefined || descriptor?.readOnly === true) return [];
      const problem =
        descriptor === undefined
          ? `there is no tool ${tool}, which ${source.actor} wants`
          : `${source.actor} looks on, and ${tool} may change something`;
      return [{ check: "tools", problem }];
    });
  });
}

/** One thing of a script's opinion: a step of it, or what it answers. */
export async function adviseWithScript(deps: PlanDeps, turn: Turn, request: AdviceRequest): Promise<Advice> {
  const { role, about, form } = request;
  const { plan } = turn;
  const source = plan.sources?.[role] as PlanSource; // whoever asks has looked
  const script = scriptOf(source);
  const known = plan.looks?.[role];
  const isSame = known?.attempt === plan.attempt && known.about === about;
  const look: ScriptLook = isSame ? known : { attempt: plan.attempt, about, done: 0, results: {} };
  const stopped = (reason: string, message: string): Advice => ({
    plan,
    events: [],
    failure: { reason, message: `${source.actor}: ${message}`, recoverable: true },
  });
  const scope: ScriptScope = { ...scopeOf(plan), results: look.results, advice: adviceFacts(request) };
  try {
    const step = script.steps[look.done];
    if (step !== undefined) return await takeStep(deps, turn, role, look, step, scope, stopped);
    const value = fill(script.answer ?? null, scope);
    // A script that says it itself is taken at its word; what a tool has answered may have it inside.
    const read = handedIn(typeof script.answer === "string" ? within(value) : [value], form);
    if ("problem" in read)
      return stopped("SCRIPT_BAD_ANSWER", `what it answers cannot be taken: ${read.problem}`);
    return { plan: withLook(plan, role, { ...look, results: {} }), events: [], answer: read.answer };
  } catch (error) {
    if (error instanceof ExpressionError) return stopped("SCRIPT_EXPRESSION", error.message);
    throw error;
  }
}

async function takeStep(
  deps: PlanDeps,
  turn: Turn,
  role: AdviceRole,
  look: ScriptLook,
  step: ScriptStep,
  scope: ScriptScope,
  stopped: (reason: string, message: string) => Advice,
): Promise<Advice> {
  const next: ScriptLook = { ...look, done: look.done + 1 };
  const { plan } = turn;
  if (step.kind === "say" || (step.when !== undefined && !holds(step.when, scope)))
    return { plan: withLook(plan, role, next), events: [] };
  const value = fill(step.value as unknown as JsonValue, scope) as JsonObject;
  const label = stepLabel({ ...step, value } as unknown as ScriptStep);
  if (step.kind === "fail") return stopped("SCRIPT_FAILED", String(value["message"]));
  if (plan.sandbox === undefined)
    return stopped(
      "NO_COPY",
      "there is no copy of the project yet, and so nothing that its steps could look at",
    );
  const looked = await lookCall(deps, turn, {
    callId: `a${plan.attempt}:${role}:${look.about}:script:${look.done}`,
    tool: toolOfStep(step) ?? "",
    args: step.kind === "call" ? (value["arguments"] as JsonObject) : value,
    index: -1 - look.done - 1_000_000 * ACTOR_ROLES.indexOf(role),
    label: `look: ${label}`,
    role,
  });
  if ("ask" in looked) return looked;
  if ("kept" in looked) return stopped("GUARD_ASKS", `${label}: ${looked.kept.reason}`);
  if (!looked.outcome.ok)
    return stopped(looked.outcome.error.reason, `${label}: ${looked.outcome.error.message}`);
  const { value: result } = looked.outcome.result;
  const results = step.name === undefined ? look.results : { ...look.results, [step.name]: result };
  return { plan: withLook(looked.plan, role, { ...next, results }), events: looked.events };
}

function adviceFacts({ role, material, facts, changes, files = [] }: AdviceRequest): JsonObject {
  return {
    role,
    text: material,
    changes: changes ?? "",
    ...facts,
    invariants: facts["invariants"] ?? [],
    paths: [...files],
  };
}

function within(value: JsonValue): readonly unknown[] {
  if (typeof value === "string") return jsonIn(value);
  if (!isObject(value)) return [];
  return [value, ...Object.values(value).flatMap((one) => (typeof one === "string" ? jsonIn(one) : [one]))];
}

function withLook(plan: Plan, role: AdviceRole, look: ScriptLook): Plan {
  return { ...plan, looks: { ...plan.looks, [role]: look } };
}

function scriptOf({ settings }: PlanSource): Script {
  return settings as unknown as Script; // kept by whoever has made the plan
}
