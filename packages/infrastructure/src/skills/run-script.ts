import {
  type CommandRunner,
  type FoundSkill,
  type ToolContext,
  ToolError,
  type ToolResult,
  type Trust,
} from "@cleveragents/application";
import { asksForCommand, canonicalName, InvalidNameError, type JsonValue } from "@cleveragents/domain";
import { confine } from "../tools/confine.ts";
import { runCommand } from "../tools/shell.ts";
import { readSkillFile } from "./skill-files.ts";
import type { SkillSnapshot, SkillSnapshots } from "./skill-snapshots.ts";
import type { RunArguments } from "./skill-tools.ts";

export interface RunScriptDeps {
  readonly commands: CommandRunner;
  readonly trust: Trust;
  readonly snapshots: SkillSnapshots;
}

/** Where a script finds its skill. */
const FOLDER = "SKILL_DIR";
const INTERPRETERS: Readonly<Record<string, string>> = {
  ".sh": "sh",
  ".bash": "bash",
  ".py": "python3",
  ".js": "node",
  ".mjs": "node",
  ".cjs": "node",
  ".rb": "ruby",
  ".pl": "perl",
};

/**
 * Runs a script of a skill where the plan's commands run, and nowhere else. What runs is a copy of the skill as it was
 * trusted; whoever changes a file of it needs new consent.
 */
export async function runScript(
  deps: RunScriptDeps,
  skill: FoundSkill,
  args: RunArguments,
  context: ToolContext,
): Promise<ToolResult> {
  if (context.environment !== undefined)
    throw new ToolError("NOT_AVAILABLE", "scripts of skills cannot be run in an environment of their own");
  assertAsksFor(skill, args);
  const environment = await environmentOf(skill, args, context);
  const snapshot = await deps.snapshots.take(skill.folder);
  const interpreter = args.interpreter ?? (await interpreterFor(snapshot, args.script));
  await deps.trust.demand({
    kind: "skill",
    name: trustName(skill.name, snapshot),
    command: "scripts",
    args: [],
    environment: {},
    files: snapshot.files,
  });
  const words = [interpreter ?? [], args.script, ...args.args].flat();
  const { exitCode, stdout, stderr, durationMs } = await runCommand(
    deps.commands,
    {
      // A script is found by a variable, since where it lies is for whoever isolates it to say.
      command:
        interpreter === undefined
          ? ["/bin/sh", "-c", `exec "$${FOLDER}/$0" "$@"`, args.script, ...args.args]
          : ["/bin/sh", "-c", `i=$0; s=$1; shift; exec "$i" "$${FOLDER}/$s" "$@"`, ...words],
      env: environment,
      timeout: args.timeout,
      expect: [0],
      network: args.network,
      limits: args.limits,
    },
    context,
    { name: words.join(" "), shown: [{ from: snapshot.folder, variable: FOLDER }] },
  );
  return {
    value: { exitCode, stdout, stderr, durationMs },
    summary: `ran ${args.script} of ${skill.name} (exit code ${exitCode})`,
  };
}

/** What a skill says that it needs is never more than the profile allows, and may be less. */
function assertAsksFor({ name, spec }: FoundSkill, args: RunArguments): void {
  const written = [args.script, ...args.args];
  const extension = args.script.slice(args.script.lastIndexOf("."));
  const usual = INTERPRETERS[extension];
  const spellings = [
    args.interpreter === undefined ? written : [args.interpreter, ...written],
    ...(args.interpreter !== undefined || usual === undefined ? [] : [[usual, ...written]]),
    ...(usual === "python3" ? [["python", ...written]] : []),
    ...(usual === "sh" ? [["bash", ...written]] : []),
  ];
  if (!asksForCommand(spec.tools, spellings))
    throw new ToolError(
      "SKILL_NOT_ALLOWED",
      `${name} does not ask to run ${args.script} in its allowed-tools`,
      { allowed_tools: (spec.tools ?? []).map(({ pattern }) => pattern) },
    );
}

async function environmentOf(
  { name, spec }: FoundSkill,
  { resources, params }: RunArguments,
  { sandbox }: ToolContext,
): Promise<Record<string, string>> {
  const environment: Record<string, string> = { SKILL_NAME: name };
  for (const [key, value] of Object.entries(params))
    environment[variable("SKILL_PARAM", key)] = asText(value as JsonValue);
  for (const slot of spec.resourceSlots) {
    const given = resources[slot.name];
    if (given === undefined && slot.required)
      throw new ToolError("SKILL_RESOURCE_MISSING", `the skill needs resources.${slot.name}`);
    if (given === undefined) continue;
    const purpose = slot.access === "read_only" ? "read" : "write";
    environment[variable("SKILL_RESOURCE", slot.name)] = (await confine(sandbox, given, purpose)).relative;
  }
  const unknown = Object.keys(resources).find((key) => !spec.resourceSlots.some((slot) => slot.name === key));
  if (unknown !== undefined)
    throw new ToolError("SKILL_RESOURCE_UNKNOWN", `resources.${unknown} is no slot of the skill`);
  return environment;
}

function variable(prefix: string, name: string): string {
  return `${prefix}_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}

function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Undefined for a script that says itself what runs it. Throws for one that is not there, or that nobody can run. */
async function interpreterFor({ folder, files }: SkillSnapshot, script: string): Promise<string | undefined> {
  if (!files.some(({ path }) => path === script))
    throw new ToolError("SKILL_SCRIPT_UNKNOWN", `the skill has no ${script}`);
  const { bytes } = await readSkillFile(folder, script, Number.MAX_SAFE_INTEGER);
  if (bytes.subarray(0, 2).toString("latin1") === "#!") return undefined;
  const known = INTERPRETERS[script.slice(script.lastIndexOf("."))];
  if (known === undefined)
    throw new ToolError(
      "SKILL_SCRIPT_UNKNOWN",
      `${script} has no #! line and no extension that says what runs it`,
    );
  return known;
}

/** Names in a SKILL.md may be none of ours. */
function trustName(name: string, { sha256 }: SkillSnapshot): string {
  try {
    return canonicalName(name);
  } catch (error) {
    if (!(error instanceof InvalidNameError)) throw error;
    return `local/skill-${sha256.slice(0, 12)}`;
  }
}
