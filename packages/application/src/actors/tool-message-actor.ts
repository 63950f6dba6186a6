import {
  builtinProfile,
  DEFAULT_PROFILE,
  type GuardedCall,
  type JsonObject,
  type JsonValue,
  type Message,
  newGuarding,
  type ToolActor,
  ToolActorSchema,
  textOf,
} from "@cleveragents/domain";
import type { MessageActor, MessageActors, MessageTurn, TurnEnd } from "../ports/message-actor.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import { type ToolDescriptor, ToolError } from "../ports/tool-provider.ts";
import type { Sandbox } from "../ports/workspace.ts";
import { ExpressionError, type ScriptScope } from "../script/expression.ts";
import { fill } from "../script/template.ts";
import { callKey } from "../tools/call-key.ts";
import type { ToolCall, ToolRunner } from "../tools/tool-runner.ts";

/** What is let pass where nobody has said that more may be done, and where somebody has. */
const PROFILES = { safe: DEFAULT_PROFILE, unsafe: "full-auto" } as const;

export interface ToolActorDeps {
  readonly registry: Pick<RegistryStore, "find">;
  readonly tools: Pick<ToolRunner, "find" | "refresh" | "run">;
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
    if (tools.find(tool) === undefined) await tools.refresh();
    const descriptor = tools.find(tool);
    if (descriptor === undefined) return ended("failed", `There is no tool ${tool}.`, "TOOL_UNKNOWN");
    const why = refusalOf(descriptor, turn);
    if (why !== undefined) return ended("rejected", `${name} does not do this here: ${why}`, "ACTOR_UNSAFE");
    try {
      const args = fill(this.#actor.arguments as JsonValue, scopeOf(turn.message)) as JsonObject;
      return await this.#call({ callId: `${turn.taskId}:${turn.turn}`, tool, args }, descriptor, turn);
    } catch (error) {
      turn.signal.throwIfAborted();
      if (error instanceof ExpressionError) return ended("failed", error.message, "SCRIPT_EXPRESSION");
      throw error;
    }
  }

  async #call(call: ToolCall, descriptor: ToolDescriptor, turn: MessageTurn): Promise<TurnEnd> {
    const guarded: GuardedCall = {
      callId: call.callId,
      key: await callKey(call.tool, call.args),
      attempt: 1,
      step: `t${turn.turn}`,
      follows: false,
      amounts: descriptor.costOf?.(call.args) ?? {},
    };
    const profile = builtinProfile(turn.unsafe === true ? PROFILES.unsafe : PROFILES.safe);
    const outcome = await this.#deps.tools.run(
      call,
      {
        planId: turn.taskId,
        sandbox: NO_PROJECT,
        signal: turn.signal,
        network: false,
        readOnly: turn.unsafe !== true,
      },
      { profile, guarding: newGuarding({}), call: guarded },
      // Its task's log says what was asked and what has come of it.
      { before: async () => undefined, denied: async () => undefined, after: async () => undefined },
    );
    turn.signal.throwIfAborted();
    if ("asked" in outcome)
      return ended("rejected", `${outcome.asked.reason}: run it as unsafe, if it may`, "ACTOR_UNSAFE");
    if (!outcome.ok) return ended("failed", outcome.error.message, outcome.error.reason);
    const { summary, value, parts = [] } = outcome.result;
    return {
      state: "completed",
      parts: [{ kind: "text", text: summary }, { kind: "data", data: value }, ...parts],
    };
  }
}

function refusalOf({ effect, idempotent, name }: ToolDescriptor, turn: MessageTurn): string | undefined {
  if (effect === "sandbox") return `${name} works on the files of a project; use it in an action's plan`;
  if (effect === "none") return undefined;
  if (turn.unsafe !== true) return `${name} may do what cannot be undone; run it as unsafe, if it may`;
  if (turn.attempt > 1 && !idempotent)
    return `${name} was interrupted and may have had its effect; run it again if it is to be done again`;
  return undefined;
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

function ended(state: "failed" | "rejected", text: string, reason: string): TurnEnd {
  return { state, parts: [{ kind: "text", text }], metadata: { reason } };
}

/** In the place of a plan's copy of its project: whatever asks for one is told that there is none. */
const NO_PROJECT = new Proxy(Object.freeze({}), {
  get() {
    throw new ToolError("PROJECT_NEEDED", "it works on the files of a project; use it in an action's plan");
  },
}) as Sandbox; // nothing of it is ever read
