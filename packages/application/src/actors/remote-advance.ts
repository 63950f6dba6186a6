import type { JsonObject, Part, Plan, PlanFailure, RemoteSaid, RemoteWork } from "@cleveragents/domain";
import { withinDeadline } from "../plans/deadline.ts";
import type { AskDraft } from "../plans/gates.ts";
import { OutputLog } from "../plans/output-log.ts";
import type { NamedEvent } from "../plans/plan-writer.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import type { RemoteActor, RemoteAgent } from "../ports/remote-agent.ts";
import { compact } from "../wire/message.ts";
import { markedPlace, type RemoteAnswer, wordsOf } from "./remote-answer.ts";
import { credentialWanted, questionOf, remoteEvent } from "./remote-asking.ts";
import { partsOf, shownOf } from "./remote-showing.ts";
import { type RemoteDeps, type RemoteFailure, remoteTurn, stopped } from "./remote-turn.ts";
import { type RemoteRole, remoteActorOf, withWork } from "./remote-work.ts";
import { TASK_MEDIA_TYPE } from "./task-data.ts";

/** What one thing with an agent elsewhere has come to; its caller commits all of it at once. */
export interface Advance {
  readonly plan: Plan;
  readonly events: readonly NamedEvent[];
  readonly ask?: AskDraft;
  readonly failure?: PlanFailure;
  /** It has done what it was asked. */
  readonly completed?: { readonly answer: RemoteAnswer; readonly agent: RemoteAgent };
}

type Deps = Pick<PlanDeps, "clock" | "ids" | "tools" | "workspace" | "failPoint">;

/** What a message says: in words, and for programs; whether it shows of the project what its actor may be shown. */
interface Composed {
  readonly text: string;
  readonly told?: JsonObject;
  readonly shows?: true;
  /** Files that it is about. */
  readonly paths?: readonly string[];
}

/** Begins a message, hands it over, or waits for what comes of it: whichever is next. */
export async function advance(
  remote: RemoteDeps,
  deps: Deps,
  turn: Pick<Turn, "writer" | "signal">,
  plan: Plan,
  role: RemoteRole,
  known: RemoteWork,
  compose: () => Composed,
): Promise<Advance> {
  const actor = remoteActorOf(plan, role);
  const work = goingOn(known);
  if (work.abandoned !== undefined) {
    const { abandoned, ...rest } = work;
    const agent = await remote.agents.open(actor, turn.signal).catch(() => undefined); // then it goes on over there
    if (agent !== undefined) await stopped(agent, abandoned);
    return { plan: withWork(plan, role, rest), events: [] };
  }
  if (work.asks !== undefined && work.answer === undefined)
    return { plan, events: [], ask: questionOf(plan, role, work) };
  if (work.pending === undefined) return begin(remote, deps, turn, plan, role, work, compose);
  const { pending } = work;
  const log = new OutputLog({
    append: (events) => turn.writer.append(plan.planId, events),
    // Another try says it all again: it begins the artifact anew.
    key: `${pending.messageId}:${deps.ids.next()}`,
    artifactId: `remote-${role}-${work.said}`,
    name: `What ${actor.name} says`,
    event: "remote.output",
  });
  const signal = withinDeadline(turn.signal, plan, deps.clock.now());
  const outcome = await remoteTurn(remote, actor, pending, {
    signal,
    onText: (text) => log.add(text),
    extras: () => extrasOf(deps, turn, plan, actor, pending),
    failPoint: deps.failPoint,
  }).finally(() => log.close());
  turn.signal.throwIfAborted();
  switch (outcome.kind) {
    case "taken":
      return {
        plan: withWork(plan, role, { ...work, pending: { ...pending, taken: outcome.place } }),
        events: [
          remoteEvent(
            pending,
            "taken",
            compact({ role, task_id: outcome.place.taskId, context_id: outcome.place.contextId }),
          ),
        ],
      };
    case "failed":
      return failed(plan, role, work, outcome);
    case "answered":
      return answered(plan, role, work, pending, outcome);
  }
}

/** Who was told that the credential is there goes on with what waits for it. */
function goingOn(work: RemoteWork): RemoteWork {
  if (work.asks?.ours !== true || work.answer === undefined) return work;
  const { asks: _, answer: _a, ...rest } = work;
  return rest;
}

async function extrasOf(
  deps: Deps,
  turn: Pick<Turn, "signal">,
  plan: Plan,
  { shows }: RemoteActor,
  { told, files = [] }: RemoteSaid,
): Promise<readonly Part[]> {
  const data: readonly Part[] =
    told === undefined ? [] : [{ kind: "data", data: told, mediaType: TASK_MEDIA_TYPE }];
  if (shows === undefined || files.length === 0) return data;
  return [...data, ...(await partsOf(deps, turn, plan, files, shows))];
}

async function begin(
  { unsent }: RemoteDeps,
  deps: Deps,
  turn: Pick<Turn, "signal">,
  plan: Plan,
  role: RemoteRole,
  work: RemoteWork,
  compose: () => Composed,
): Promise<Advance> {
  const said = work.said + 1;
  const messageId = `${plan.planId}-${role}-${said}`;
  const { asks, answer, remark: _, ...rest } = work;
  // Who has shown who they are is not told so: the other agent goes on by itself.
  const looksAgain = asks?.credential === true && answer === "";
  const composed: Composed = answer === undefined ? compose() : { text: answer };
  const { shows } = remoteActorOf(plan, role);
  const words = [composed.text, ...(composed.paths ?? [])].join("\n");
  const shown = composed.shows === true ? await shownOf(deps, turn, plan, shows, words) : { files: [] };
  const names = "names" in shown && shown.names !== undefined ? { files: { ...shown.names } } : {};
  const pending: RemoteSaid = {
    messageId,
    text: composed.text,
    ...(composed.told === undefined ? {} : { told: { ...composed.told, ...names } as JsonObject }),
    ...(shown.files.length === 0 ? {} : { files: shown.files }),
    place: work.place,
    ...(asks === undefined ? {} : { answers: true as const }),
    ...(looksAgain ? { taken: work.place } : {}),
  };
  unsent.add(messageId);
  const { name } = remoteActorOf(plan, role);
  const guided = answer === undefined ? plan.guidance.length : work.guided;
  return {
    plan: withWork(plan, role, { ...rest, said, guided, pending }),
    events: [
      remoteEvent(pending, "asked", {
        role,
        agent: name,
        message_id: messageId,
        // What has left the project is said by name.
        ...(shown.files.length === 0 ? {} : { files: [...shown.files] }),
      }),
    ],
  };
}

function failed(plan: Plan, role: RemoteRole, work: RemoteWork, failure: RemoteFailure): Advance {
  const { pending, ...rest } = work;
  const { reason, message, again } = failure;
  if (reason === "REMOTE_AUTHENTICATION") return credentialWanted(plan, role, work, message);
  return {
    plan: withWork(plan, role, again ? work : { ...rest, place: contextOnly(work) }),
    events: [
      remoteEvent(pending as RemoteSaid, `failed:${plan.attempt}`, { role, reason, message }), // whoever calls has looked
    ],
    failure: { reason, message, recoverable: true },
  };
}

function answered(
  plan: Plan,
  role: RemoteRole,
  { pending: _, ...work }: RemoteWork,
  pending: RemoteSaid,
  {
    answer,
    place,
    agent,
  }: { readonly answer: RemoteAnswer; readonly place: RemoteSaid["place"]; readonly agent: RemoteAgent },
): Advance {
  const { name } = remoteActorOf(plan, role);
  const words = wordsOf(answer);
  const { state } = answer;
  const events = [remoteEvent(pending, "answered", { role, state, text: words.slice(0, 2000) })];
  if (state === "input-required" || state === "auth-required") {
    const credential = state === "auth-required";
    const asks = {
      question:
        words === ""
          ? `${name} waits for ${credential ? "you to identify yourself to it" : "an answer"}`
          : words,
      options: answer.options ?? [],
      ...(credential ? { credential: true as const } : {}),
    };
    const asking = withWork(plan, role, { ...work, place: markedPlace(place, answer), asks });
    return { plan: asking, events, ask: questionOf(asking, role, { ...work, asks }) };
  }
  const next = { ...work, place: place.contextId === undefined ? {} : { contextId: place.contextId } };
  if (state === "completed")
    return { plan: withWork(plan, role, next), events, completed: { answer, agent } };
  const message = `${name} has ${ENDS[state]} it${words === "" ? "" : `: ${words.slice(0, 2000)}`}`;
  return {
    plan: withWork(plan, role, next),
    events,
    failure: { reason: "REMOTE_FAILED", message, recoverable: true },
  };
}

const ENDS = { failed: "not done", canceled: "cancelled", rejected: "refused" } as const;

function contextOnly({ place: { contextId } }: RemoteWork): RemoteWork["place"] {
  return contextId === undefined ? {} : { contextId };
}
