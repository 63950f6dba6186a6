import {
  type JsonObject,
  type JsonValue,
  type LlmActor,
  like,
  type Plan,
  profileOf,
} from "@cleveragents/domain";
import { SUBPLAN_TOOL, subplansForModels } from "../plans/subplans/subplan-tool.ts";
import type { ModelTool } from "../ports/language-model.ts";
import type { ToolDescriptor } from "../ports/tool-provider.ts";

/** The tools that a model is told of, by the names that it knows them by. */
export interface OfferedTools {
  readonly tools: readonly ModelTool[];
  readonly byName: ReadonlyMap<string, ToolDescriptor>;
}

/** Models have a question of their own, which they are told of in words that fit to it. */
const ASK = "builtin/ask";
const MOST = 128;
const LONGEST_NAME = 64;

/** Those that the actor names and the plan's profile does not deny. `looking`: only those that change nothing. */
export function offeredTools(
  all: readonly ToolDescriptor[],
  actor: LlmActor,
  plan: Plan,
  looking: boolean,
): OfferedTools {
  const { tool_denylist, tool_allowlist } = profileOf(plan).guards;
  const descriptors = all
    .filter(
      ({ name, readOnly }) =>
        name !== ASK &&
        (!looking || readOnly) &&
        actor.tools.some((glob) => like(glob, name)) &&
        !tool_denylist.some((glob) => like(glob, name)) &&
        (tool_allowlist.length === 0 || tool_allowlist.some((glob) => like(glob, name))),
    )
    .slice(0, MOST);
  const byName = new Map<string, ToolDescriptor>();
  for (const known of descriptors) {
    const descriptor = known.name === SUBPLAN_TOOL ? subplansForModels : known;
    byName.set(freeName(byName, descriptor.name), descriptor);
  }
  return {
    byName,
    tools: [...byName].map(([name, { description, inputSchema }]) => ({
      name,
      description: actor.compact ? firstSentence(description) : description,
      inputSchema: actor.compact ? (bare(inputSchema) as JsonObject) : inputSchema,
    })),
  };
}

/** A name that providers take: what is builtin goes without its namespace, and two never share one. */
function freeName(taken: ReadonlyMap<string, unknown>, full: string): string {
  const plain = full
    .replace(/^builtin\//, "")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .slice(0, LONGEST_NAME);
  if (!taken.has(plain)) return plain;
  for (let n = 2; ; n++) {
    const numbered = `${plain.slice(0, LONGEST_NAME - 4)}_${n}`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** What a description begins with. */
export function firstSentence(text: string): string {
  return (/^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text).slice(0, 200);
}

/** A schema without words for people. */
function bare(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) =>
      !(typeof value === "string" && (key === "description" || key === "title" || key === "$schema")),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, bare(value as JsonValue)]));
}
