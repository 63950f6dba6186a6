import {
  type Action,
  type BudgetBreach,
  type JsonObject,
  type LlmActor,
  type Message,
  type ModelUse,
  type Part,
  settingsOf,
  totalTokens,
  withUse,
} from "@cleveragents/domain";
import { estimateMessage } from "../models/estimate-request.ts";
import type { Completion, Models } from "../models/models.ts";
import { ModelError, type ModelMessage, type ModelRequest } from "../ports/language-model.ts";
import type { MessageActor, MessageTurn, TurnEnd, TurnLog } from "../ports/message-actor.ts";
import type { Prompts } from "../ports/prompts.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import { callPlanTool, planTools } from "./conversation-tools.ts";
import { budgetWords, pay } from "./paying.ts";
import { type OwnTool, takeModelAnswer } from "./take-answer.ts";

/** Answers in one turn: after so many it says what it has. */
const MOST_ANSWERS = 12;
const ANSWER = 4096;
/** What a model is told of earlier talk where nobody says how much it takes. */
const UNKNOWN_WINDOW = 8192;
/** Characters of an attached text that are told. */
const ATTACHED = { normal: 16_000, compact: 4000 } as const;

export interface ConversationDeps {
  readonly models: Models;
  readonly prompts: Prompts;
  readonly registry: Pick<RegistryStore, "list">;
}

/** Answers messages with a model, which can start and steer plans for who is talking, and nothing else. */
export class LlmMessageActor implements MessageActor {
  readonly #deps: ConversationDeps;
  readonly #actor: LlmActor;

  constructor(deps: ConversationDeps, actor: LlmActor) {
    this.#deps = deps;
    this.#actor = actor;
  }

  async run(turn: MessageTurn, log: TurnLog): Promise<TurnEnd> {
    let use: readonly ModelUse[] = [];
    try {
      const { request, tools } = await this.#request(turn);
      const said = new SaidText(log);
      const messages = [...request.messages];
      let plans = 0;
      for (let n = 0; n < MOST_ANSWERS; n++) {
        const toolChoice = n === MOST_ANSWERS - 1 ? { toolChoice: "none" as const } : {};
        const asked = { ...request, ...toolChoice, messages };
        const paid = await pay(this.#deps.models, turn.budget, this.#actor.model, asked);
        if ("breach" in paid) return usedUp(paid.breach, use);
        const completion = await this.#deps.models.complete(this.#actor.model, paid.request, {
          signal: turn.signal,
          onPiece: (piece) => piece.kind === "text" && said.add(piece.text),
        });
        await said.written();
        use = withUse(use, usedBy(this.#actor, completion));
        await turn.budget?.settle({ tokens: totalTokens(completion.usage), cost_usd: completion.cost ?? 0 });
        const { answer } = completion;
        const { calls, remark } = takeModelAnswer(answer, { tools: [], byName: new Map() }, tools);
        messages.push({ role: "assistant", text: answer.text, toolCalls: answer.toolCalls });
        if (calls.length === 0 && remark === undefined) return end(said.whole, use);
        for (const call of calls) {
          const starts = call.tool === "start_plan" && call.result === undefined;
          const result = call.result ?? (await callPlanTool(turn.plans, call, starts ? ++plans : plans));
          messages.push({ role: "tool", callId: call.id, ...result });
        }
        if (remark !== undefined) messages.push({ role: "user", text: remark });
        said.pause();
      }
      return end(said.whole, use);
    } catch (error) {
      turn.signal.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      // Of what had begun nobody says what it has cost: it stays charged as it was reserved.
      if (!error.begun) await turn.budget?.settle({});
      return {
        state: "failed",
        parts: [{ kind: "text", text: `The model has not answered: ${error.message}` }],
        metadata: { reason: error.reason },
        use,
      };
    }
  }

  async #request(turn: MessageTurn): Promise<{ request: ModelRequest; tools: readonly OwnTool[] }> {
    const { models, prompts, registry } = this.#deps;
    const { compact, system_prompt, max_tokens = ANSWER, temperature, top_p, limits, model } = this.#actor;
    const found = await models.find(model);
    const { context = UNKNOWN_WINDOW } = settingsOf(found.provider, found.model);
    const prompt = await prompts.of("conversation", compact);
    const actions = (await registry.list("action")).map(({ document }) => document as unknown as Action);
    const tools = planTools(actions, compact);
    const attached = compact ? ATTACHED.compact : ATTACHED.normal;
    const now = turn.history.map((message) => toModelMessage(message, attached));
    const request: ModelRequest = {
      system: system_prompt === undefined ? prompt : `${prompt}\n\n${system_prompt}`,
      tools: tools.map((tool) => tool.offered),
      messages: now,
      maxTokens: Math.min(max_tokens, Math.floor(context / 3)),
      ...(temperature === undefined ? {} : { temperature }),
      ...(top_p === undefined ? {} : { topP: top_p }),
    };
    const left =
      Math.min(context, limits.context ?? context) - (request.maxTokens ?? 0) - models.estimate(request);
    const before =
      left > 0 ? (await turn.earlier(left)).map((message) => toModelMessage(message, attached)) : [];
    return { tools, request: { ...request, messages: alternating([...fitting(before, left), ...now]) } };
  }
}

/** What is said in this turn, passed on as it comes, and once more as a whole at its end. */
class SaidText {
  whole = "";
  readonly #log: TurnLog;
  #begun = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(log: TurnLog) {
    this.#log = log;
  }

  add(text: string): void {
    const append = this.#begun;
    this.#begun = true;
    this.whole += text;
    const artifact = { artifactId: "answer", name: "answer", parts: [{ kind: "text" as const, text }] };
    this.#writing = this.#writing.then(() => this.#log.artifact({ artifact, append }));
    this.#writing.catch(() => undefined); // told by `written`
  }

  /** What comes next is said after something else was done. */
  pause(): void {
    if (this.whole !== "" && !this.whole.endsWith("\n\n")) this.add("\n\n");
  }

  async written(): Promise<void> {
    await this.#writing;
  }
}

function usedUp(breach: BudgetBreach, use: readonly ModelUse[]): TurnEnd {
  const { text, metadata } = budgetWords(breach, "the model was not asked");
  return { state: "failed", parts: [{ kind: "text", text }], metadata, use };
}

function end(text: string, use: readonly ModelUse[]): TurnEnd {
  const said = text.trim() === "" ? "(nothing was said)" : text.trim();
  return { state: "completed", parts: [{ kind: "text", text: said }], use };
}

function usedBy({ model }: LlmActor, { usage, estimated, cost }: Completion): Omit<ModelUse, "calls"> {
  return {
    ...usage,
    model,
    role: "conversation",
    estimated: estimated ? 1 : 0,
    ...(cost === undefined ? {} : { cost }),
  };
}

function toModelMessage({ role, parts }: Message, attached: number): ModelMessage {
  const text = parts.map((part) => partText(part, attached)).join("\n");
  return role === "user" ? { role, text } : { role: "assistant", text, toolCalls: [] };
}

function partText(part: Part, attached: number): string {
  const name = part.filename ?? "a file";
  switch (part.kind) {
    case "text":
      return part.text;
    case "data":
      return JSON.stringify(part.data as JsonObject).slice(0, attached);
    case "url":
      return `[attached: ${name} at ${part.url}, which you cannot open]`;
    case "bytes": {
      const text = /^(text\/|application\/(json|xml|yaml))/.test(part.mediaType ?? "")
        ? decoded(part.bytes)
        : undefined;
      if (text === undefined)
        return `[attached: ${name} (${part.mediaType ?? "unknown type"}), which you cannot read]`;
      return `[attached: ${name}]\n${text.slice(0, attached)}${text.length > attached ? "\n[… cut …]" : ""}\n[end of ${name}]`;
    }
  }
}

function decoded(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The newest of them that fit by our own estimate, too. */
function fitting(messages: readonly ModelMessage[], tokens: number): readonly ModelMessage[] {
  let left = tokens;
  let from = messages.length;
  while (from > 0) {
    left -= estimateMessage(messages[from - 1] as ModelMessage);
    if (left < 0) break;
    from--;
  }
  return messages.slice(from);
}

/** Some models want one side never to speak twice in a row, and the user to begin. */
function alternating(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === message.role && message.role !== "tool")
      joined[joined.length - 1] = { ...last, text: `${last.text}\n\n${message.text}` } as ModelMessage;
    else joined.push(message);
  }
  if (joined[0]?.role === "assistant") joined.shift();
  return joined;
}
