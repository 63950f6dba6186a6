import type { JsonObject, SaidCall } from "@cleveragents/domain";
import type { z } from "zod";
import type { ModelAnswer, ModelToolCall } from "../ports/language-model.ts";
import type { OfferedTools } from "./offered-tools.ts";

/** A tool of ours that is no tool of the plan: what the model says with it is taken by whoever offers it. */
export interface OwnTool {
  readonly name: string;
  readonly input: z.ZodType<JsonObject>;
  /** Why arguments that fit do not hold together. */
  problem?(args: JsonObject): string | undefined;
  /** The model is not done before it has called it. */
  readonly required?: true;
}

export interface TakenAnswer {
  readonly calls: readonly SaidCall[];
  /** What the model is told, where its answer cannot be used as it is. */
  readonly remark?: string;
  /** Nothing of it could be used. */
  readonly mistaken: boolean;
}

const PRINTED_CALL =
  /<tool_call>|<function[=_ ]|<\|tool|^\s*(?:```(?:json)?\s*)?\{\s*"(?:name|tool|function|tool_call)"\s*:/m;

/**
 * Which calls of an answer can be carried out. One that is broken is refused with its reason, for the model to write
 * it again: nothing is guessed and nothing is mended.
 */
export function takeModelAnswer(
  answer: ModelAnswer,
  offered: OfferedTools,
  own: readonly OwnTool[],
): TakenAnswer {
  const calls = answer.toolCalls.map((call, n) => takeCall(call, n, answer, offered, own));
  const usable = calls.filter(({ result }) => result === undefined).length;
  if (calls.length > 0)
    return {
      calls,
      mistaken: usable === 0,
      ...(answer.stop === "length"
        ? { remark: "Your answer was cut off by its length. Do less at a time." }
        : {}),
    };
  const due = own.find(({ required }) => required === true);
  const remark =
    remarkOn(answer, offered.tools.length + own.length > 0) ??
    (due && `Nothing was handed in. Call ${due.name} with what you have to say.`);
  return { calls, mistaken: remark !== undefined, ...(remark === undefined ? {} : { remark }) };
}

function remarkOn({ text, stop }: ModelAnswer, hasTools: boolean): string | undefined {
  if (stop === "length")
    return "Your answer was cut off by its length, and nothing was done. Say it shorter.";
  if (stop === "refused")
    return "The provider has held your answer back, and nothing was done. Go on differently.";
  if (text.trim() === "") return "Your answer was empty. Call a tool, or say in a few words what was done.";
  if (hasTools && PRINTED_CALL.test(text))
    return "You have written a call of a tool as text, and nothing was carried out. Call the tool in the way that your interface has for it.";
  return undefined;
}

function takeCall(
  { id, name, arguments: written }: ModelToolCall,
  n: number,
  { stop, toolCalls }: ModelAnswer,
  { byName }: OfferedTools,
  own: readonly OwnTool[],
): SaidCall {
  const said = { id, name, written };
  const refuse = (text: string): SaidCall => ({ ...said, result: { text, failed: true } });
  const descriptor = byName.get(name);
  const ours = own.find((tool) => tool.name === name);
  const schema = ours?.input ?? descriptor?.input;
  if (schema === undefined) {
    const names = [...own.map((tool) => tool.name), ...byName.keys()];
    return refuse(`There is no tool "${name}". There are: ${names.join(", ")}.`);
  }
  const parsed = parse(written);
  if (parsed === undefined) {
    const last = stop === "length" && n === toolCalls.length - 1;
    return refuse(
      last
        ? "Not carried out: the arguments were cut off by the length of your answer. Do it in smaller parts."
        : "Not carried out: the arguments are not a JSON object. Write the whole call again.",
    );
  }
  const checked = schema.safeParse(parsed);
  if (!checked.success) {
    const problems = checked.error.issues.map(
      (issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`,
    );
    return refuse(`Not carried out, the arguments do not fit: ${problems.join("; ")}`);
  }
  // As the schema has completed it.
  const problem = ours?.problem?.(checked.data);
  if (problem !== undefined) return refuse(`Not taken: ${problem}`);
  return { ...said, tool: ours?.name ?? (descriptor?.name as string), args: parsed };
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}
