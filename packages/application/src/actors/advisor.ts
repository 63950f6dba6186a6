import {
  type Conversation,
  estimateTokens,
  type JsonObject,
  type LlmActor,
  type ModelSettings,
  type Plan,
  type SaidCall,
} from "@cleveragents/domain";
import { estimateRequest } from "../models/estimate-request.ts";
import type { Advice, AdviceRequest } from "../plans/decision-source.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { ModelError } from "../ports/language-model.ts";
import { codeNow } from "./code-now.ts";
import { look } from "./looking.ts";
import { actorOf, conversationOf, type Mind, type MindDeps, withConversation } from "./mind.ts";
import { offeredTools } from "./offered-tools.ts";
import { own } from "./submit-strategy.ts";
import { taskText } from "./task-text.ts";
import { askModel, hearModel, MARGIN, type Thought, wantedTokens } from "./thinking.ts";
import { cut } from "./tool-text.ts";

/** Tokens of what is to be judged, where nobody says how much the model takes. */
const UNKNOWN_WINDOW = 48_000;
/** How much of what is left of its window may be filled; the rest is for looking around. */
const SHARE = 0.7;

/** One thing of an opinion: a request, an answer, a look at the project, or what was handed in. */
export async function adviseWithModel(
  minds: MindDeps,
  deps: PlanDeps,
  turn: Turn,
  request: AdviceRequest,
): Promise<Advice> {
  const { role, about } = request;
  const known = turn.plan.conversations?.[role];
  const isSame = known?.attempt === turn.plan.attempt && known.about === about;
  const plan = isSame ? turn.plan : begun(turn.plan, request);
  const conversation = conversationOf(plan, role);
  const now = { ...turn, plan };
  const open = conversation.turns.at(-1)?.calls.find(({ result }) => result === undefined);
  if (open !== undefined) return look(deps, now, role, open);
  const all = { ...minds, ...deps };
  const mind = await mindOf(minds, deps, plan, request);
  if ("failure" in mind) return { plan, events: [], failure: mind.failure };
  if (conversation.pending === undefined) {
    const code = request.files === undefined ? undefined : await codeNow(all, now, mind);
    return asAdvice(await askModel(all, plan, mind, code));
  }
  return handedIn(await hearModel(all, now, mind), request, mind.actor);
}

/** The plan with nothing said yet about this; what was said about others is of no use here. */
function begun(plan: Plan, { role, about }: AdviceRequest): Plan {
  const { asked = 0, ratio } = plan.conversations?.[role] ?? {};
  return withConversation(plan, role, {
    attempt: plan.attempt,
    about,
    asked,
    turns: [],
    mistakes: 0,
    ...(ratio === undefined ? {} : { ratio }),
  });
}

function asAdvice({ plan, events, ask, failure }: Thought): Advice {
  if (failure !== undefined) return { plan, events, failure };
  return ask === undefined ? { plan, events } : { plan, events, ask };
}

async function mindOf(
  { prompts, models }: MindDeps,
  { tools }: PlanDeps,
  plan: Plan,
  { role, material, form, files }: AdviceRequest,
): Promise<Mind | { readonly failure: NonNullable<Advice["failure"]> }> {
  const actor = actorOf(plan, role);
  const submit = {
    ...own(form.name, form.description, form.schema),
    ...(form.problem === undefined ? {} : { problem: form.problem }),
    required: true as const,
  };
  let settings: ModelSettings;
  try {
    ({ settings } = await models.find(actor.model));
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { failure: { reason: error.reason, message: error.message, recoverable: true } };
  }
  // Before there is a copy of the project there is nothing to look at.
  const offered = offeredTools(plan.sandbox === undefined ? [] : tools.list(), actor, plan, true);
  const prompt = await prompts.of(role, actor.compact);
  const system = actor.system_prompt === undefined ? prompt : `${prompt}\n\n${actor.system_prompt}`;
  const about = taskText(plan, true);
  const told = [...offered.tools, submit.offered];
  const fixed = estimateRequest({ system, tools: told, messages: [{ role: "user", text: about }] });
  const room = roomBeside(fixed, conversationOf(plan, role), actor, settings);
  return {
    role,
    actor,
    offered,
    own: [submit],
    ...(files === undefined ? {} : { inPlay: files }),
    brief: {
      system,
      task: [about, withinTokens(material, room)].filter((text) => text !== "").join("\n\n"),
      tools: told,
      guidance: plan.guidance,
    },
  };
}

function roomBeside(
  fixed: number,
  { ratio = 1, window = Number.POSITIVE_INFINITY }: Conversation,
  actor: LlmActor,
  settings: ModelSettings,
): number {
  const takes = Math.min(
    settings.context ?? UNKNOWN_WINDOW,
    actor.limits.context ?? Number.POSITIVE_INFINITY,
  );
  const atMost = Math.min((takes - wantedTokens({ actor }, settings)) / (ratio * MARGIN), window);
  return Math.max(0, Math.floor((atMost - fixed) * SHARE));
}

/** As much of a text as fits, with what was left out said in its middle. */
function withinTokens(text: string, tokens: number): string {
  let shown = text;
  for (let longest = text.length; estimateTokens(shown) > tokens && longest > 400; ) {
    longest = Math.floor(longest * Math.min(0.9, tokens / estimateTokens(shown)));
    shown = cut(text, Math.max(400, longest));
  }
  return shown;
}

/** What was handed in is the answer, and what was said until then is done with. */
function handedIn(thought: Thought, { role, form }: AdviceRequest, { model }: LlmActor): Advice {
  const advice = asAdvice(thought);
  const isIt = ({ tool, result }: SaidCall) => tool === form.name && result === undefined;
  const call = thought.said?.calls.find(isIt);
  if (call === undefined || advice.failure !== undefined) return advice;
  const { about, ...conversation } = conversationOf(thought.plan, role);
  const { asked, attempt, ratio } = conversation;
  const answer = form.schema.parse(call.args) as JsonObject; // it has passed once
  return {
    ...advice,
    plan: withConversation(thought.plan, role, {
      attempt,
      asked,
      turns: [],
      mistakes: 0,
      ...(about === undefined ? {} : { about }),
      ...(ratio === undefined ? {} : { ratio }),
    }),
    answer,
    model,
  };
}
