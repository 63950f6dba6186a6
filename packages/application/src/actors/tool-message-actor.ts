import {
  type JsonObject,
  type JsonValue,
  type Message,
  type ToolActor,
  ToolActorSchema,
  textOf,
} from "@cleveragents/domain";
import type { MessageActor, MessageActors, MessageTurn, TurnEnd } from "../ports/message-actor.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import { ExpressionError, type ScriptScope } from "../script/expression.ts";
import { fill } from "../script/template.ts";
import { type ConversationTools, callInConversation, toolNamed, whyNotHere } from "./conversation-call.ts";

export interface ToolActorDeps {
  readonly registry: Pick<RegistryStore, "find">;
  readonly tools: ConversationTools;
}

/** Registered actors that are one call of a tool, as those who answer messages. */
export class ToolActors implements MessageActors {
  readonly #deps: ToolActorDeps;

  constructor(deps: ToolActorDeps) {
    this.#deps = deps;
  }

  async find(name: string): Promise<MessageActor | undefined> {
    const document = (await this.#deps.registry.find("actor", name))?.document;
    return document?.["type"] === "tool"
      ? new ToolMessageActor(this.#deps, ToolActorSchema.parse(document))
      : undefined;
  }
}

/**
 * Calls its tool with what was said: `args.text`, and the members of data that came along. There is no project, so that
 * tools on files are for plans; what may change something elsewhere is called only for who has asked for that.
 */
class ToolMessageActor implements MessageActor {
  readonly #deps: ToolActorDeps;
  readonly #actor: ToolActor;

  constructor(deps: ToolActorDeps, actor: ToolActor) {
    this.#deps = deps;
    this.#actor = actor;
  }

  async run(turn: MessageTurn): Promise<TurnEnd> {
    const { tools } = this.#deps;
    const { name, tool } = this.#actor;
    const descriptor = await toolNamed(tools, tool);
    const why = descriptor && whyNotHere(descriptor, turn);
    if (why !== undefined) return ended("rejected", `${name} does not do this here: ${why}`, "ACTOR_UNSAFE");
    try {
      const args = fill(this.#actor.arguments as JsonValue, scopeOf(turn.message)) as JsonObject;
      const call = { callId: `${turn.taskId}:${turn.turn}`, tool, args };
      const done = await callInConversation(tools, turn, call, { again: turn.attempt > 1 });
      if (!("result" in done)) {
        const text = done.state === "rejected" ? `${name} does not do this here: ${done.text}` : done.text;
        return ended(done.state, text, done.reason, done.metadata);
      }
      const { summary, value, parts = [] } = done.result;
      return {
        state: "completed",
        parts: [{ kind: "text", text: summary }, { kind: "data", data: value }, ...parts],
      };
    } catch (error) {
      turn.signal.throwIfAborted();
      if (error instanceof ExpressionError) return ended("failed", error.message, "SCRIPT_EXPRESSION");
      throw error;
    }
  }
}

/** Data that comes along are its arguments by name. */
function scopeOf(message: Message): ScriptScope {
  const data = message.parts.flatMap((part) =>
    part.kind === "data" && isObject(part.data) ? [part.data] : [],
  );
  const args: JsonObject = Object.assign({}, ...data, { text: textOf(message) });
  return { args, decisions: {}, results: {}, guidance: [], attempt: 1 };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ended(
  state: "failed" | "rejected",
  text: string,
  reason: string,
  metadata: Readonly<Record<string, string | number>> = {},
): TurnEnd {
  return { state, parts: [{ kind: "text", text }], metadata: { ...metadata, reason } };
}
