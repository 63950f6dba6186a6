import {
  type AskedModel,
  type Conversation,
  estimateTokens,
  type ModelSettings,
  type Plan,
  type PlanFailure,
  type SaidTurn,
  type TokenUsage,
  totalTokens,
  withUse,
} from "@cleveragents/domain";
import type { Completion } from "../models/models.ts";
import { overdue, withinDeadline } from "../plans/deadline.ts";
import type { AskDraft } from "../plans/gates.ts";
import { exceededEvent } from "../plans/guarding-call.ts";
import { OutputLog } from "../plans/output-log.ts";
import type { NamedEvent } from "../plans/plan-writer.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { ModelError, type ModelPiece } from "../ports/language-model.ts";
import { budgetDraft } from "./budget-draft.ts";
import { charge, settleCharge } from "./charging.ts";
import type { CodeNow } from "./code-now.ts";
import { type ComposedRequest, composeRequest } from "./compose-request.ts";
import { conversationOf, type Mind, type MindDeps, withConversation } from "./mind.ts";
import { takeModelAnswer } from "./take-answer.ts";

/** What an actor may do where it does not say otherwise. */
const MOST_TURNS = 80;
const MOST_MISTAKES = 3;
const ANSWER = 8192;
const ANSWER_UNKNOWN = 4096;
/** Counts of others grow unevenly. */
export const MARGIN = 1.05;

/** What asking a model, or hearing it, has come to; its caller commits all of it at once. */
export interface Thought {
  readonly plan: Plan;
  readonly events: readonly NamedEvent[];
  /** A human has to say something first. */
  readonly ask?: AskDraft;
  readonly failure?: PlanFailure;
  /** The answer that came, where one did. */
  readonly said?: SaidTurn;
}

type Deps = MindDeps & Pick<PlanDeps, "clock" | "ids">;

/** Charges the next request, so that it may be sent: nothing is sent before that is durable. */
export async function askModel(deps: Deps, plan: Plan, mind: Mind, code?: CodeNow): Promise<Thought> {
  const { actor, role } = mind;
  const conversation = conversationOf(plan, role);
  const stop = (failure: Omit<PlanFailure, "recoverable">): Thought => ({
    plan,
    events: code?.events ?? [],
    failure: { ...failure, recoverable: true },
  });
  const most = actor.limits.turns ?? MOST_TURNS;
  if (conversation.turns.filter(({ attempt }) => attempt === plan.attempt).length >= most)
    return stop({
      reason: "MODEL_TURNS_EXHAUSTED",
      message: `${actor.name} has not finished within the ${most} answers that it may give`,
    });
  let settings: ModelSettings;
  try {
    settings = (await deps.models.find(actor.model)).settings;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return stop({ reason: error.reason, message: error.message });
  }
  const wanted = wantedTokens(mind, settings);
  const guided = plan.guidance.length;
  const said = code === undefined || code.text === "" ? undefined : code.text;
  const whole =
    said === undefined ? undefined : composedFor(plan, mind, wanted, settings, { guided, now: said });
  const now = whole === undefined ? undefined : said;
  const composed = whole ?? composedFor(plan, mind, wanted, settings, { guided });
  if (composed === undefined)
    return stop({
      reason: "MODEL_CONTEXT_TOO_LONG",
      message: `what ${actor.name} has to know does not fit into what ${actor.model} takes`,
    });
  const asked = conversation.asked + 1;
  const callId = `a${plan.attempt}:model:${role}:${asked}`;
  const tokens = Math.ceil(composed.tokens * (conversation.ratio ?? 1) * MARGIN);
  const charged = charge(plan, callId, tokens, wanted, settings.prices);
  if ("breach" in charged)
    return {
      plan,
      events: [...(code?.events ?? []), exceededEvent(callId, charged.breach)],
      ask: budgetDraft(plan, charged.breach, `${actor.name} is asked again`),
    };
  const pending: AskedModel = {
    callId,
    maxTokens: charged.maxTokens,
    guided,
    ...(now === undefined ? {} : { now }),
  };
  return {
    plan: withConversation(charged.plan, role, { ...conversation, attempt: plan.attempt, asked, pending }),
    events: [
      ...(code?.events ?? []),
      {
        key: `${callId}:asked`,
        name: "model.asked",
        data: {
          role,
          model: actor.model,
          estimated_tokens: composed.tokens,
          ...(composed.shortened === 0 ? {} : { shortened_results: composed.shortened }),
          ...(composed.leftOut === 0 ? {} : { left_out: composed.leftOut }),
          ...(code === undefined || Object.keys(code.data).length === 0
            ? {}
            : { context: { ...code.data, ...(now === undefined ? { told: false } : {}) } }),
        },
      },
      ...charged.events,
    ],
  };
}

/** Sends what was charged, tells of the answer while it comes, and takes it. Throws the signal's reason. */
export async function hearModel(
  deps: Deps,
  turn: Pick<Turn, "plan" | "writer" | "signal">,
  mind: Mind,
): Promise<Thought> {
  const { plan } = turn;
  const { actor, role } = mind;
  const pending = conversationOf(plan, role).pending as AskedModel; // whoever calls has looked
  const { settings } = await deps.models.find(actor.model);
  const composed = composedFor(plan, mind, wantedTokens(mind, settings), settings, pending);
  if (composed === undefined) throw new Error("it fitted when it was charged");
  const log = new OutputLog({
    append: (events) => turn.writer.append(plan.planId, events),
    // Another try says something else: it begins the artifact anew.
    key: `${pending.callId}:${deps.ids.next()}`,
    artifactId: `model-${role}-${pending.callId.split(":").at(-1)}`,
    name: `What ${actor.name} says`,
    event: "model.output",
  });
  const begunAt = deps.clock.now();
  let heard = "";
  const onPiece = (piece: ModelPiece) => {
    if (piece.kind === "tool-call") return;
    heard += piece.text;
    if (piece.kind === "text") log.add(piece.text);
  };
  const request = {
    ...composed.request,
    maxTokens: pending.maxTokens,
    ...(actor.temperature === undefined ? {} : { temperature: actor.temperature }),
    ...(actor.top_p === undefined ? {} : { topP: actor.top_p }),
  };
  const signal = withinDeadline(turn.signal, plan, begunAt);
  let completion: Completion;
  try {
    completion = await deps.models.complete(actor.model, request, { signal, onPiece });
  } catch (error) {
    await log.close();
    turn.signal.throwIfAborted();
    const late = overdue(plan, deps.clock.now(), plan.steps.length);
    const seconds = secondsSince(begunAt, deps.clock.now());
    if (late !== undefined) return unanswered(plan, mind, composed, heard, seconds, late);
    if (!(error instanceof ModelError)) throw error;
    return failed(plan, mind, composed, heard, seconds, error);
  }
  await log.close();
  turn.signal.throwIfAborted();
  return taken(plan, mind, composed, completion, secondsSince(begunAt, deps.clock.now()));
}

function taken(
  plan: Plan,
  mind: Mind,
  composed: ComposedRequest,
  completion: Completion,
  seconds: number,
): Thought {
  const { role, actor } = mind;
  const conversation = conversationOf(plan, role);
  const { answer, usage, estimated, cost, tries } = completion;
  const { callId, guided } = conversation.pending as AskedModel;
  const { calls, remark, mistaken } = takeModelAnswer(answer, mind.offered, mind.own);
  const unique = calls.map((call, n) => ({ ...call, id: uniqueId(conversation, call.id, n) }));
  const said: SaidTurn = {
    attempt: plan.attempt,
    text: answer.text,
    calls: unique,
    guided,
    ...(remark === undefined ? {} : { remark }),
  };
  const mistakes = mistaken ? conversation.mistakes + 1 : 0;
  const paid = settleCharge(plan, callId, { tokens: totalTokens(usage), cost_usd: cost ?? 0, seconds });
  const { pending: _, ...rest } = conversation;
  const next: Plan = {
    ...withConversation(paid.plan, role, {
      ...rest,
      turns: [...rest.turns, said],
      mistakes,
      ratio: Math.max(rest.ratio ?? 0, estimated ? 1 : inputOf(usage) / composed.tokens),
    }),
    modelUse: withUse(plan.modelUse ?? [], {
      ...usage,
      model: actor.model,
      role,
      estimated: estimated ? 1 : 0,
      ...(cost === undefined ? {} : { cost }),
    }),
  };
  const events: NamedEvent[] = [
    {
      key: `${callId}:answered`,
      name: "model.answered",
      data: {
        role,
        model: actor.model,
        stop: answer.stop,
        usage: { ...usage },
        tries,
        ...(estimated ? { estimated } : {}),
        ...(cost === undefined ? {} : { cost_usd: cost }),
        calls: unique.map(({ name, result }) => ({
          name,
          ...(result === undefined ? {} : { refused: result.text }),
        })),
        ...(remark === undefined ? {} : { remark }),
      },
    },
    ...paid.events,
  ];
  if (mistakes <= (actor.limits.mistakes ?? MOST_MISTAKES)) return { plan: next, events, said };
  const why = remark ?? unique.at(-1)?.result?.text ?? "";
  const failure: PlanFailure = {
    reason: "MODEL_BAD_RESPONSE",
    message: `${actor.name} (${actor.model}) has given ${mistakes} answers in a row that cannot be used: ${why}`,
    recoverable: true,
  };
  return { plan: next, events, failure };
}

/** A model that has not answered: what can be done about it is, a few times; the rest is the user's to say. */
function failed(
  plan: Plan,
  mind: Mind,
  composed: ComposedRequest,
  heard: string,
  seconds: number,
  error: ModelError,
): Thought {
  const failure: PlanFailure = { reason: error.reason, message: error.message, recoverable: true };
  const thought = unanswered(plan, mind, composed, error.begun ? heard : "", seconds, failure);
  const conversation = conversationOf(thought.plan, mind.role);
  const tooLong = error.reason === "MODEL_CONTEXT_TOO_LONG";
  const mistakes = conversation.mistakes + 1;
  const again =
    (tooLong || (error.begun && error.transient)) &&
    mistakes <= (mind.actor.limits.mistakes ?? MOST_MISTAKES);
  if (!again) return thought;
  const { failure: _, ...rest } = thought;
  const window = Math.floor(composed.tokens * 0.75);
  return {
    ...rest,
    plan: withConversation(thought.plan, mind.role, {
      ...conversation,
      mistakes,
      ...(tooLong ? { window } : {}),
    }),
  };
}

function unanswered(
  plan: Plan,
  { role, actor }: Mind,
  composed: ComposedRequest,
  heard: string,
  seconds: number,
  failure: PlanFailure,
): Thought {
  const conversation = conversationOf(plan, role);
  const { callId } = conversation.pending as AskedModel;
  // What had begun has been paid for, and nobody says how much.
  const tokens = heard === "" ? 0 : composed.tokens + estimateTokens(heard);
  const paid = settleCharge(plan, callId, { tokens, cost_usd: 0, seconds });
  const { pending: _, ...rest } = conversation;
  const data = { role, model: actor.model, reason: failure.reason, message: failure.message };
  return {
    plan: withConversation(paid.plan, role, rest),
    events: [{ key: `${callId}:failed`, name: "model.failed", data }, ...paid.events],
    failure,
  };
}

function composedFor(
  plan: Plan,
  { brief, actor, role }: Mind,
  wanted: number,
  settings: ModelSettings,
  { guided, now }: Pick<AskedModel, "guided" | "now">,
): ComposedRequest | undefined {
  const conversation: Conversation = conversationOf(plan, role);
  const limits = [
    settings.context === undefined ? undefined : settings.context - wanted,
    actor.limits.context === undefined ? undefined : actor.limits.context - wanted,
  ].flatMap((limit) => (limit === undefined ? [] : [limit / ((conversation.ratio ?? 1) * MARGIN)]));
  const atMost = Math.min(
    Number.POSITIVE_INFINITY,
    ...limits,
    conversation.window ?? Number.POSITIVE_INFINITY,
  );
  const told = { ...brief, guidance: plan.guidance.slice(0, guided), ...(now === undefined ? {} : { now }) };
  return composeRequest(told, conversation, atMost);
}

export function wantedTokens({ actor }: Pick<Mind, "actor">, { output, context }: ModelSettings): number {
  const wanted = actor.max_tokens ?? (output === undefined ? ANSWER_UNKNOWN : Math.min(output, ANSWER));
  const window = Math.min(
    context ?? Number.POSITIVE_INFINITY,
    actor.limits.context ?? Number.POSITIVE_INFINITY,
  );
  return Math.min(wanted, output ?? wanted, Math.max(64, Math.floor(window / 3)));
}

/** Some models count their calls anew in each answer; what answers them has to be told apart. */
function uniqueId({ asked, turns }: Conversation, id: string, n: number): string {
  const taken = turns.some(({ calls }) => calls.some((call) => call.id === id));
  return taken ? `${id}_${asked}_${n + 1}` : id;
}

function inputOf({ input, cacheRead, cacheWrite }: TokenUsage): number {
  return input + cacheRead + cacheWrite;
}

function secondsSince(then: number, now: number): number {
  return Math.max(0, now - then) / 1000;
}
