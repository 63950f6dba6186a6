import { type Plan, type PlanStep, type RemoteFile, type RemoteWork, stands } from "@cleveragents/domain";
import { ask } from "../plans/asking.ts";
import { overdue } from "../plans/deadline.ts";
import { fail } from "../plans/failing.ts";
import { runTool } from "../plans/run-step.ts";
import type { PlanDeps, Turn, TurnOutcome } from "../plans/turn.ts";
import type { Sandbox } from "../ports/workspace.ts";
import { type Advance, advance } from "./remote-advance.ts";
import { wordsOf } from "./remote-answer.ts";
import { filesOf } from "./remote-files.ts";
import { failureOf, type RemoteDeps } from "./remote-turn.ts";
import { remoteActorOf, withWork, withWorkInLine } from "./remote-work.ts";
import { taskData } from "./task-data.ts";
import { stepsOf, taskText } from "./task-text.ts";

const WRITE = "builtin/write_file";

/** One thing in Execute: something with the agent elsewhere, or a file of its answer. Undefined when all is done. */
export async function executeElsewhere(
  remote: RemoteDeps,
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
): Promise<TurnOutcome | undefined> {
  const { plan, work } = withWorkInLine(turn.plan, "execution");
  const now: Turn = { ...turn, plan };
  const late = overdue(plan, deps.clock.now(), plan.steps.length);
  if (late !== undefined) return fail(deps, now, plan, late);
  const step = plan.steps.find(({ status }) => status === "pending" || status === "running");
  if (step !== undefined) return write(deps, now, sandbox, step, work);
  if (work.finished !== undefined && work.guided >= plan.guidance.length) return undefined;
  const goesOn = work.finished !== undefined && work.remark === undefined;
  const text = toldText(plan, work);
  const compose = () =>
    goesOn ? { text } : { text, told: taskData(plan, "execution", stepsOf(plan)), shows: true as const };
  const advanced = await taken(
    plan,
    await advance(remote, deps, now, plan, "execution", work, compose),
    turn.signal,
  );
  const { plan: next, events } = advanced;
  if (advanced.failure !== undefined) return fail(deps, now, next, advanced.failure, [], events);
  if (advanced.ask !== undefined) return ask(deps, now, next, advanced.ask, events);
  await turn.writer.write(next, "working", events);
  return "continue";
}

/** The files of an answer become steps, in the commit that records it. */
async function taken(before: Plan, advanced: Advance, signal: AbortSignal): Promise<Advance> {
  const { plan, completed } = advanced;
  if (completed === undefined) return advanced;
  const work = plan.remotes?.execution as RemoteWork; // it has just advanced
  const actor = remoteActorOf(plan, "execution");
  let files: readonly Omit<RemoteFile, "step">[];
  try {
    files = await filesOf(actor, completed.answer, completed.agent, signal);
  } catch (error) {
    signal.throwIfAborted();
    const { reason, message, again } = failureOf(actor, error);
    const failure = { reason, message, recoverable: true };
    // What it has done stays done: it is asked after again, where that may help.
    return again ? { plan: before, events: [], failure } : { ...advanced, failure };
  }
  const first = plan.steps.length;
  const steps = files.map(
    ({ path }, n): PlanStep => ({
      index: first + n,
      kind: "tool",
      label: `write_file ${path}`,
      status: "pending",
      decisions: hangsOn(plan),
    }),
  );
  const kept = files.map((file, n): RemoteFile => ({ ...file, step: first + n }));
  return {
    ...advanced,
    plan: withWork({ ...plan, steps: [...plan.steps, ...steps] }, "execution", {
      ...work,
      files: [...work.files, ...kept],
      steps: [...work.steps, ...kept.map((file) => file.step)],
      finished: { summary: wordsOf(completed.answer).slice(0, 16_000) },
    }),
  };
}

async function write(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  step: PlanStep,
  { files }: RemoteWork,
): Promise<TurnOutcome> {
  const file = files.find((one) => one.step === step.index);
  if (file === undefined) throw new Error(`nothing that was sent wants step ${step.index}`);
  const { path, content, encoding } = file;
  return runTool(deps, turn, sandbox, step, WRITE, { path, content, encoding }, (after, running, outcome) => {
    if (!outcome.ok) return undefined;
    const key = `a${after.attempt}:step:${step.index}:completed`;
    return {
      plan: withoutFile(after, step.index),
      step: { ...running, status: "done", detail: outcome.result.summary },
      events: [{ key, name: "tool.completed", data: { tool: WRITE } }],
    };
  });
}

/** The plan without a file whose writing somebody has refused; it goes on with the others. */
export function withoutRefusedFile(plan: Plan, step: PlanStep): Plan {
  const refused: PlanStep = { ...step, status: "failed", detail: "The user has refused this call" };
  const steps = plan.steps.map((known) => (known.index === step.index ? refused : known));
  return withoutFile({ ...plan, steps }, step.index);
}

function withoutFile(plan: Plan, step: number): Plan {
  const work = plan.remotes?.execution as RemoteWork; // its step is one of this work
  return withWork(plan, "execution", { ...work, files: work.files.filter((file) => file.step !== step) });
}

/** What the agent is told: the task at first, later what has come since. */
function toldText(plan: Plan, { said, guided, finished, remark }: RemoteWork): string {
  const news = plan.guidance.slice(guided).map((text) => `- ${text}`);
  if (finished !== undefined && remark === undefined) return `The user adds:\n${news.join("\n")}`;
  const all = plan.guidance.map((text) => `- ${text}`);
  return [
    taskText(plan, true),
    ...(all.length === 0 ? [] : [`The user adds:\n${all.join("\n")}`]),
    ...(said === 0 ? [] : ["(An earlier attempt at this has come to nothing.)"]),
    "Answer with what you have done, in words. Send each file that is to be written as a file part whose name is its path in the project.",
  ].join("\n\n");
}

function hangsOn({ decisions }: Plan): readonly string[] {
  const [root, ...others] = decisions.filter(stands);
  const meant = others.filter(({ type }) => type !== "invariant_enforced");
  return (meant.length === 0 && root !== undefined ? [root] : meant).map(({ decisionId }) => decisionId);
}
