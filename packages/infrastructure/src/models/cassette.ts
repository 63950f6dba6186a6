import { createHash } from "node:crypto";
import type { ModelAnswer, ModelPiece, ModelRequest } from "@cleveragents/application";
import type { JsonObject, JsonValue } from "@cleveragents/domain";

/** One line of a cassette: what was asked and what came. It never holds a key, which no request has. */
export interface Recorded {
  readonly hash: string;
  readonly model: string;
  readonly request: JsonObject;
  readonly pieces: readonly ModelPiece[];
  readonly answer: ModelAnswer;
}

/** A request as it is compared: without what is only absent. */
export function normalised(request: ModelRequest): JsonObject {
  return JSON.parse(JSON.stringify(request)) as JsonObject;
}

export function hashOf(model: string, request: JsonObject): string {
  return createHash("sha256")
    .update(`${model}\n${canonical(request)}`)
    .digest("hex");
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner as JsonValue)}`).join(",")}}`;
}

/** Where two requests differ first: paths with both values, a few of them. */
export function differences(
  recorded: JsonValue | undefined,
  asked: JsonValue | undefined,
  path = "request",
): string[] {
  if (JSON.stringify(recorded) === JSON.stringify(asked)) return [];
  if (isContainer(recorded) && isContainer(asked) && Array.isArray(recorded) === Array.isArray(asked)) {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(asked)])];
    return keys.flatMap((key) =>
      differences(
        (recorded as Record<string, JsonValue>)[key],
        (asked as Record<string, JsonValue>)[key],
        `${path}.${key}`,
      ),
    );
  }
  return [`${path}: recorded ${shown(recorded)}, asked ${shown(asked)}`];
}

function isContainer(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return typeof value === "object" && value !== null;
}

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
