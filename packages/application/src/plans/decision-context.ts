import type { Decision, JsonObject, JsonValue, Plan } from "@cleveragents/domain";
import type { ScriptScope } from "../script/expression.ts";
import type { References } from "../script/references.ts";
import { digestOfJson, sha256 } from "../tools/call-key.ts";
import { standing } from "./decision-links.ts";

/** Values that take more characters of JSON are remembered by their digest alone. */
const LONGEST_VALUE = 4096;

/** A condition of a choice, and whether it held: what a script has in the place of a model's answer. */
export interface TriedCondition {
  readonly choice: string;
  readonly when: string | null;
  readonly held: boolean;
}

/** What expressions of this plan see now. */
export function scopeOf(plan: Plan): ScriptScope {
  const decisions = Object.fromEntries(
    standing(plan).flatMap(({ label, chosen }) => (label === undefined ? [] : [[label, chosen]])),
  );
  return {
    args: plan.arguments,
    decisions,
    results: plan.results,
    guidance: plan.guidance,
    attempt: plan.attempt,
  };
}

/**
 * What is known when a decision is taken, to be kept with it: prompt, arguments, guidance, earlier choices, invariants,
 * and of results and files what the decision looks at. `hash` stands for all of it.
 */
export async function contextOf(
  plan: Plan,
  looked?: References,
  tried?: readonly TriedCondition[],
): Promise<Decision["context"]> {
  const { args, decisions, guidance, attempt } = scopeOf(plan);
  const names =
    looked === undefined
      ? []
      : Object.keys(plan.results).filter((name) => looked.results === "all" || looked.results.has(name));
  const context: JsonObject = {
    prompt: plan.description,
    arguments: await bounded(args),
    guidance: [...guidance],
    decisions: { ...decisions },
    attempt,
    invariants: (plan.reconciled?.effective ?? plan.invariants ?? []).map(({ id, text }) => ({ id, text })),
    ...(names.length === 0
      ? {}
      : {
          results: await bounded(Object.fromEntries(names.map((name) => [name, plan.results[name] ?? null]))),
          files: await filesRead(plan, names),
        }),
    ...(tried === undefined ? {} : { conditions: tried as unknown as JsonValue }),
  };
  return { hash: `sha256:${await digestOfJson(context)}`, ...context };
}

/** Files behind the named results, by path and SHA-256 of their content. */
async function filesRead(plan: Plan, names: readonly string[]): Promise<JsonValue> {
  const read = plan.script.steps.flatMap(({ kind, name }, index) =>
    kind === "read" && name !== undefined && names.includes(name) ? [{ index, name }] : [],
  );
  return Promise.all(
    read.map(async ({ index, name }) => {
      const { content, encoding } = plan.results[name] as JsonObject;
      return {
        path: plan.steps[index]?.label.replace(/^read /, "") ?? name,
        sha256: await sha256(encoding === "base64" ? bytesOf(String(content)) : String(content)),
      };
    }),
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

async function bounded(values: JsonObject): Promise<JsonObject> {
  const entries = Object.entries(values).map(async ([name, value]): Promise<[string, JsonValue]> => {
    const { length } = JSON.stringify(value);
    return [name, length <= LONGEST_VALUE ? value : { sha256: await digestOfJson(value), length }];
  });
  return Object.fromEntries(await Promise.all(entries));
}
