import type { JsonObject, JsonValue } from "@cleveragents/domain";
import type { ToolOutcome } from "../tools/tool-runner.ts";

/** Characters of an answer that a model is shown, unless its actor says otherwise. */
export const SHOWN = { normal: 16_000, compact: 4_000 } as const;

/** What a model is told of a call that has ended. */
export function outcomeText(outcome: ToolOutcome, longest: number): { text: string; failed?: boolean } {
  if (outcome.ok) return { text: cut(written(outcome.result.value), longest) };
  const { reason, message, details } = outcome.error;
  const more = written(details);
  return { text: cut(`${reason}: ${message}${more === "" ? "" : `\n${more}`}`, longest), failed: true };
}

/**
 * A value as lines, since models read text with its line breaks better than JSON. What is empty says nothing, and how long
 * something took would make every run another one, which no recording could answer.
 */
function written(value: JsonObject): string {
  return Object.entries(value)
    .filter(([key, inner]) => key !== "durationMs" && inner !== "")
    .map(([key, inner]) => line(key, inner as JsonValue))
    .join("\n");
}

function line(key: string, value: JsonValue): string {
  if (typeof value !== "string") return `${key}: ${JSON.stringify(value)}`;
  return value.includes("\n") ? `${key}:\n${value.replace(/\n$/, "")}` : `${key}: ${value}`;
}

/** Beginning and end of a text that is too long, with what was left out said in between. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const head = Math.ceil(longest * 0.7);
  const tail = longest - head;
  const left = text.length - longest;
  const begin = text.slice(0, head).replace(/[\uD800-\uDBFF]$/, "");
  const end = text.slice(text.length - tail).replace(/^[\uDC00-\uDFFF]/, "");
  return `${begin}\n[… ${left} characters left out here; ask for a smaller part if you need them …]\n${end}`;
}
