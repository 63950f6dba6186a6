import { z } from "zod";
import { STEP_SCHEMAS } from "../script/script-schema.ts";
import type { JsonObject } from "../task/message.ts";
import { PathRuleSchema } from "./path-rule.ts";

const { command, cwd, env, timeout, expect, network, limits, dependencies } = STEP_SCHEMAS.run.shape;

/** The ways to find out, by a machine, whether something holds. Of the first four there is exactly one. */
export const PROBE_FIELDS = {
  /** Run on the plan's copy; it holds when the exit code is one of `expect`. What it writes is thrown away. */
  command: command.optional(),
  /** A CEL expression over `changes`, `paths`, `args`, `decisions` and `attempt`. */
  check: z.string().min(1).optional(),
  /** Which paths may change. */
  paths: PathRuleSchema.optional(),
  /** A tool that is called with `input`; `transform` (CEL over `output`) makes `passed` of its answer. */
  wraps: z.string().min(1).optional(),
  input: z.record(z.string(), z.json()).optional(),
  transform: z.string().min(1).optional(),
  cwd,
  env: env.unwrap().optional(),
  timeout: timeout.unwrap().optional(),
  expect: expect.unwrap().optional(),
  network,
  limits,
  dependencies,
  /** A command that may make it hold; run where the profile's `create_file` lets it, else when somebody chooses it. */
  fix: command.optional(),
} as const;

const WAYS = ["command", "check", "paths", "wraps"] as const;
const RUN_FIELDS = ["cwd", "env", "timeout", "expect", "network", "limits", "dependencies"] as const;

/** How it is found out; a probe is plain data, kept with the plan. */
export type Probe =
  | { readonly kind: "command"; readonly run: JsonObject; readonly fix?: JsonObject }
  | { readonly kind: "check"; readonly check: string; readonly fix?: JsonObject }
  | { readonly kind: "paths"; readonly paths: z.output<typeof PathRuleSchema>; readonly fix?: JsonObject }
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly input: JsonObject;
      readonly transform?: string;
      readonly fix?: JsonObject;
    };

type Raw = { readonly [K in keyof typeof PROBE_FIELDS]?: z.output<(typeof PROBE_FIELDS)[K]> };

/** What is wrong with a probe as it is written; `needed` if a text alone is not enough. */
export function probeProblems(
  raw: Raw,
  needed: boolean,
): { readonly path: string[]; readonly message: string }[] {
  const ways = WAYS.filter((way) => raw[way] !== undefined);
  const problems: { path: string[]; message: string }[] = [];
  if (ways.length > 1)
    problems.push({ path: [], message: `it has ${ways.join(" and ")}; one way is enough` });
  if (ways.length === 0 && needed)
    problems.push({ path: [], message: `it needs one of ${WAYS.join(", ")}, to find out whether it holds` });
  for (const field of RUN_FIELDS)
    if (raw[field] !== undefined && raw.command === undefined && raw.fix === undefined)
      problems.push({ path: [field], message: `\`${field}\` goes with \`command\`` });
  for (const field of ["input", "transform"] as const)
    if (raw[field] !== undefined && raw.wraps === undefined)
      problems.push({ path: [field], message: `\`${field}\` goes with \`wraps\`` });
  return problems;
}

/** The probe that is written there; undefined where it is text alone. */
export function probeFrom(raw: Raw): Probe | undefined {
  const { cwd, env = {}, timeout = 300, network, limits, dependencies } = raw;
  const runOf = (what: string | readonly string[], expected: JsonObject["expect"]): JsonObject =>
    JSON.parse(
      JSON.stringify({ command: what, cwd, env, timeout, expect: expected, network, limits, dependencies }),
    ) as JsonObject;
  const fix = raw.fix === undefined ? {} : { fix: runOf(raw.fix, [0]) };
  if (raw.command !== undefined)
    return { kind: "command", run: runOf(raw.command, (raw.expect ?? [0]) as JsonObject["expect"]), ...fix };
  if (raw.check !== undefined) return { kind: "check", check: raw.check, ...fix };
  if (raw.paths !== undefined) return { kind: "paths", paths: raw.paths, ...fix };
  if (raw.wraps === undefined) return undefined;
  return {
    kind: "tool",
    tool: raw.wraps,
    input: (raw.input ?? {}) as JsonObject,
    ...(raw.transform === undefined ? {} : { transform: raw.transform }),
    ...fix,
  };
}
