import type { AdviceRole, Plan, RemoteWork } from "@cleveragents/domain";
import type { Advice, AdviceRequest } from "../plans/decision-source.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { adviceText, schemaOf } from "./advice-text.ts";
import { candidatesIn, handedIn } from "./handed-in.ts";
import { type Advance, advance } from "./remote-advance.ts";
import { type RemoteDeps, stopped } from "./remote-turn.ts";
import { remoteActorOf, withWork } from "./remote-work.ts";
import { taskData } from "./task-data.ts";

/** Answers in a row that are not what was asked for, before somebody is told. */
const MOST_MISTAKES = 3;

/** One thing of an opinion from elsewhere: a message, what has come of it, or what it has handed in. */
export async function adviseElsewhere(
  remote: RemoteDeps,
  deps: PlanDeps,
  turn: Turn,
  request: AdviceRequest,
): Promise<Advice> {
  const { role, form } = request;
  const { plan, work } = begun(turn.plan, request);
  const actor = remoteActorOf(plan, role);
  const advanced = await advance(remote, deps, turn, plan, role, work, () => ({
    text: adviceText(plan, request, work.remark),
    told: taskData(plan, role, { ...request.facts, answer_schema: schemaOf(form) }),
    shows: true,
    paths: request.files ?? [],
  }));
  if (advanced.ask !== undefined && role === "estimation") return unanswered(remote, turn, role, advanced);
  const { completed, ...rest } = advanced;
  if (completed === undefined) return rest;
  const next = advanced.plan.remotes?.[role] as RemoteWork; // it has just advanced
  const { remark: _, mistakes = 0, ...done } = next;
  const read = handedIn(candidatesIn(completed.answer), form);
  if ("answer" in read) return { ...rest, plan: withWork(advanced.plan, role, done), answer: read.answer };
  const mistaken = withWork(advanced.plan, role, { ...done, remark: read.problem, mistakes: mistakes + 1 });
  if (mistakes + 1 < MOST_MISTAKES) return { ...rest, plan: mistaken };
  const message = `${actor.name} has given ${mistakes + 1} answers in a row that cannot be taken: ${read.problem}`;
  return { ...rest, plan: mistaken, failure: { reason: "REMOTE_BAD_RESPONSE", message, recoverable: true } };
}

/** The same question goes on where it was; what was said about another one is done with. */
function begun(plan: Plan, { role, about }: AdviceRequest) {
  const known = plan.remotes?.[role];
  const { attempt, reversions = 0 } = plan;
  if (known?.attempt === attempt && known.about === about) return { plan, work: known };
  const open = known?.pending?.taken ?? (known?.asks === undefined ? known?.abandoned : known.place);
  const work: RemoteWork = {
    attempt,
    reversions,
    about,
    said: known?.said ?? 0,
    guided: 0,
    place: {},
    files: [],
    steps: [],
    ...(open?.taskId === undefined ? {} : { abandoned: open }),
  };
  return { plan: withWork(plan, role, work), work };
}

/** An estimate waits for nobody. */
async function unanswered(
  remote: RemoteDeps,
  { signal }: Pick<Turn, "signal">,
  role: AdviceRole,
  { plan, events, ask }: Advance,
): Promise<Advice> {
  const known = plan.remotes?.[role] as RemoteWork; // it has just advanced
  const { asks: _, pending: _p, ...work } = known;
  if (work.place.taskId !== undefined) {
    const agent = await remote.agents.open(remoteActorOf(plan, role), signal).catch(() => undefined); // it ends by itself
    if (agent !== undefined) await stopped(agent, work.place);
  }
  const failure = { reason: "REMOTE_ASKS", message: ask?.prompt ?? "it asks something", recoverable: true };
  return { plan: withWork(plan, role, work), events, failure };
}
