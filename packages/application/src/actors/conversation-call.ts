import { builtinProfile, DEFAULT_PROFILE, type GuardedCall, newGuarding } from "@cleveragents/domain";
import type { MessageTurn } from "../ports/message-actor.ts";
import { type ToolDescriptor, ToolError, type ToolResult } from "../ports/tool-provider.ts";
import type { Sandbox } from "../ports/workspace.ts";
import { callKey } from "../tools/call-key.ts";
import type { ToolCall, ToolRunner } from "../tools/tool-runner.ts";
import { budgetWords } from "./paying.ts";

/** What is let pass where nobody has said that more may be done, and where somebody has. */
const PROFILES = { safe: DEFAULT_PROFILE, unsafe: "full-auto" } as const;

export type ConversationTools = Pick<ToolRunner, "find" | "refresh" | "run">;

/** What a call has come to where there is no plan; it was not made where it is `rejected`. */
type ConversationCall =
  | { readonly result: ToolResult }
  | {
      readonly state: "failed" | "rejected";
      readonly text: string;
      readonly reason: string;
      readonly metadata?: Readonly<Record<string, string | number>>;
    };

/** The tool, also one that was registered a moment ago. */
export async function toolNamed(tools: ConversationTools, name: string): Promise<ToolDescriptor | undefined> {
  if (tools.find(name) === undefined) await tools.refresh();
  return tools.find(name);
}

/** Why a tool is not called in a conversation, whatever it is told; undefined where it may be. */
export function whyNotHere(
  { effect, name }: ToolDescriptor,
  { unsafe }: Pick<MessageTurn, "unsafe">,
): string | undefined {
  if (effect === "sandbox") return `${name} works on the files of a project; use it in an action's plan`;
  if (effect === "none" || unsafe === true) return undefined;
  return `${name} may do what cannot be undone; run it as unsafe, if it may`;
}

/**
 * Calls a tool for a message, by the guards of all calls and charged to the session. There is no project. `again`: a process
 * that died may have made it.
 */
export async function callInConversation(
  tools: ConversationTools,
  turn: MessageTurn,
  call: ToolCall,
  { again }: { readonly again: boolean },
): Promise<ConversationCall> {
  const descriptor = await toolNamed(tools, call.tool);
  if (descriptor === undefined)
    return { state: "failed", text: `There is no tool ${call.tool}.`, reason: "TOOL_UNKNOWN" };
  const { effect, idempotent, name } = descriptor;
  const why =
    whyNotHere(descriptor, turn) ??
    (again && !idempotent && effect !== "none"
      ? `${name} was interrupted and may have had its effect; run it again if it is to be done again`
      : undefined);
  if (why !== undefined) return { state: "rejected", text: why, reason: "ACTOR_UNSAFE" };
  const amounts = descriptor.costOf?.(call.args) ?? {};
  const breach = await turn.budget?.reserve({ tool_calls: 1, ...amounts });
  if (breach !== undefined) {
    const { text, metadata } = budgetWords(breach, `${name} was not called`);
    return { state: "failed", text, reason: "BUDGET_EXCEEDED", metadata };
  }
  const guarded: GuardedCall = {
    callId: call.callId,
    key: await callKey(call.tool, call.args),
    attempt: 1,
    step: `t${turn.turn}`,
    follows: false,
    amounts,
  };
  const profile = builtinProfile(turn.unsafe === true ? PROFILES.unsafe : PROFILES.safe);
  const outcome = await tools.run(
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
  const made = "ok" in outcome;
  const used = made && outcome.ok ? outcome.result.used : undefined;
  await turn.budget?.settle(made ? { tool_calls: 1, ...amounts, ...used } : {});
  if (!made)
    return {
      state: "rejected",
      text: `${outcome.asked.reason}: run it as unsafe, if it may`,
      reason: "ACTOR_UNSAFE",
    };
  if (outcome.ok) return { result: outcome.result };
  return { state: "failed", text: outcome.error.message, reason: outcome.error.reason };
}

/** In the place of a plan's copy of its project: whatever asks for one is told that there is none. */
const NO_PROJECT = new Proxy(Object.freeze({}), {
  get() {
    throw new ToolError("PROJECT_NEEDED", "it works on the files of a project; use it in an action's plan");
  },
}) as Sandbox; // nothing of it is ever read
