import {
  type CommandRunner,
  type FoundSkill,
  RUN_SCRIPT,
  type SkillCatalog,
  type ToolContext,
  ToolError,
  type ToolResult,
  type Trust,
  TrustRequiredError,
} from "@cleveragents/application";
import { EntryNotFoundError, type JsonObject, STEP_SCHEMAS, tokensOf } from "@cleveragents/domain";
import { z } from "zod";
import { type BuiltinTool, defineTool } from "../tools/builtin-tool.ts";
import type { ActiveSkills } from "./active-skills.ts";
import { runScript } from "./run-script.ts";
import { readSkillFile, skillFiles } from "./skill-files.ts";
import type { SkillSnapshots } from "./skill-snapshots.ts";

export interface SkillToolsDeps {
  readonly catalog: Pick<SkillCatalog, "find" | "found">;
  readonly commands: CommandRunner;
  readonly trust: Trust;
  readonly snapshots: SkillSnapshots;
  readonly active: ActiveSkills;
}

/** Of what a model is told at once; the rest of a skill is read as a resource. */
const MOST_CHARACTERS = 64 * 1024;
const MOST_BYTES = 256 * 1024;
const Name = z.string().min(1).max(256);

/** The three tiers of a skill (known of, loaded, let go), and what a loaded one brings: resources and scripts. */
export function skillTools(deps: SkillToolsDeps): readonly BuiltinTool[] {
  return [discoverTool(deps), activateTool(deps), deactivateTool(deps), readTool(deps), runTool(deps)];
}

const LOOKS = { readOnly: true, idempotent: true, effect: "none" } as const;

function discoverTool({ catalog, active }: SkillToolsDeps): BuiltinTool {
  return defineTool({
    ...LOOKS,
    name: "skill/discover",
    source: "agent_skill",
    description: "The skills that there are, each with what it is for. Activate one when the task fits it.",
    input: z.strictObject({}),
    async run(_args, { sandbox, planId }) {
      const { skills } = await catalog.found(sandbox.projectRoot);
      const told = skills.map(({ name, version, description, source, spec }) => ({
        name,
        version,
        description: description.slice(0, 1024),
        source,
        state: active.state(planId, name),
        tokens_to_activate: tokensOf(spec.instructions),
      }));
      const tokens = tokensOf(told.map(({ name, description }) => `${name}: ${description}`).join("\n"));
      return {
        value: { skills: told, tokens },
        summary: `${told.length} skills (about ${tokens} tokens)`,
      };
    },
  });
}

function activateTool(deps: SkillToolsDeps): BuiltinTool {
  return defineTool({
    ...LOOKS,
    name: "skill/activate",
    source: "agent_skill",
    description:
      "Loads a skill: its instructions, steps, when it is done, and which resources and scripts it has. What is loaded already is not told again, unless `again` is set.",
    input: z.strictObject({ name: Name, again: z.boolean().optional() }),
    async run({ name, again }, { sandbox, planId }) {
      const skill = await found(deps, name, sandbox.projectRoot);
      const { spec } = skill;
      if (deps.active.state(planId, skill.name) === "activated" && again !== true)
        return {
          value: { name: skill.name, already_active: true },
          summary: `${skill.name} is active already`,
        };
      const value = activated(skill, await resources(skill));
      deps.active.set(planId, skill.name, "activated");
      return {
        value,
        summary: `activated ${skill.name} ${spec.version} (about ${tokensOf(JSON.stringify(value))} tokens)`,
      };
    },
  });
}

function activated({ name, spec }: FoundSkill, files: readonly JsonObject[]): JsonObject {
  const { instructions, steps, definitionOfDone, tools, resourceSlots, compatibility } = spec;
  const cut = instructions.length > MOST_CHARACTERS;
  return {
    name,
    version: spec.version,
    instructions: cut ? instructions.slice(0, MOST_CHARACTERS) : instructions,
    ...(cut ? { truncated: "the rest is in SKILL.md: read it with skill/read_resource" } : {}),
    steps: steps.map(({ index, title, commands }) => ({
      number: index,
      title,
      commands: commands.map(({ script, args, interpreter }) => ({
        script,
        args: [...args],
        ...(interpreter === undefined ? {} : { interpreter }),
      })),
    })),
    definition_of_done: definitionOfDone.map(({ text }) => text),
    resources: [...files],
    resource_slots: resourceSlots.map((slot) => ({ ...slot })),
    ...(tools === undefined
      ? {}
      : { allowed_tools: tools.map(({ pattern, tools: meant }) => ({ pattern, tools: [...meant] })) }),
    ...(compatibility === undefined ? {} : { compatibility }),
    tokens: tokensOf(instructions),
  };
}

/** Which files there are, not what is in them. */
async function resources({ folder }: FoundSkill): Promise<JsonObject[]> {
  const files = await skillFiles(folder).catch(() => []);
  return files
    .filter(({ path }) => !/^skill\.md$/i.test(path))
    .map(({ path, size }) => ({ path, size, tokens: Math.ceil(size / 4) }));
}

function deactivateTool(deps: SkillToolsDeps): BuiltinTool {
  return defineTool({
    ...LOOKS,
    name: "skill/deactivate",
    source: "agent_skill",
    description: "Lets go of a skill that is not needed any more.",
    input: z.strictObject({ name: Name }),
    async run({ name }, { sandbox, planId }) {
      const skill = await found(deps, name, sandbox.projectRoot);
      const wasActive = deps.active.state(planId, skill.name) === "activated";
      deps.active.set(planId, skill.name, "deactivated");
      return {
        value: { name: skill.name, was_active: wasActive },
        summary: wasActive ? `deactivated ${skill.name}` : `${skill.name} was not active`,
      };
    },
  });
}

function readTool(deps: SkillToolsDeps): BuiltinTool {
  return defineTool({
    ...LOOKS,
    name: "skill/read_resource",
    source: "agent_skill",
    description:
      "Reads a file of a skill, by its path in the skill's folder: as text, or as base64 if it is binary.",
    input: z.strictObject({ name: Name, path: z.string().min(1).max(1000) }),
    async run({ name, path }, { sandbox }) {
      const skill = await found(deps, name, sandbox.projectRoot);
      const { bytes, text, path: relative } = await readSkillFile(skill.folder, path, MOST_BYTES);
      return {
        value: {
          content: text ?? bytes.toString("base64"),
          encoding: text === undefined ? "base64" : "utf8",
          size: bytes.length,
        },
        summary: `read ${relative} of ${skill.name} (${bytes.length} bytes)`,
      };
    },
  });
}

const { timeout, network, limits } = STEP_SCHEMAS.run.shape;
const RunSchema = z.strictObject({
  name: Name,
  /** In the skill's folder, e.g. `scripts/deploy.sh`. */
  script: z.string().min(1).max(1000),
  args: z.array(z.string()).max(1000).default([]),
  /** The program that runs it; by its first line or its extension when absent. */
  interpreter: z.enum(["bash", "sh", "python", "python3", "node", "ruby", "perl"]).optional(),
  /** A path of the project for each slot of the skill. */
  resources: z.record(z.string(), z.string().min(1)).default({}),
  /** Handed to the script as SKILL_PARAM_…, what is no text as JSON. */
  params: z.record(z.string(), z.json()).default({}),
  timeout,
  network,
  limits,
});
export type RunArguments = z.output<typeof RunSchema>;

function runTool(deps: SkillToolsDeps): BuiltinTool {
  return defineTool({
    name: RUN_SCRIPT,
    source: "agent_skill",
    description:
      "Runs a script of a skill in the plan's copy. The skill's folder is at $SKILL_DIR, to read. Somebody has to have trusted the skill as it is.",
    input: RunSchema,
    readOnly: false,
    idempotent: false,
    effect: "sandbox",
    commandOf: (args) => {
      const { script, args: words, interpreter } = args as unknown as RunArguments; // they have passed the schema
      return { command: [interpreter ?? [], script, ...words].flat(), environment: [] };
    },
    networkOf: (args) => args["network"] === true,
    async run(args, context): Promise<ToolResult> {
      const skill = await found(deps, args.name, context.sandbox.projectRoot);
      const before = deps.active.state(context.planId, skill.name);
      deps.active.set(context.planId, skill.name, "executing");
      try {
        const result = await runScript(deps, skill, args, context);
        deps.active.set(context.planId, skill.name, before);
        return result;
      } catch (error) {
        deps.active.set(context.planId, skill.name, "errored");
        if (!(error instanceof TrustRequiredError)) throw error;
        const { command, digest, reason, message } = error;
        throw new ToolError(reason, message, { command, digest }, { cause: error });
      }
    },
  });
}

async function found(
  { catalog }: Pick<SkillToolsDeps, "catalog">,
  name: string,
  projectRoot: ToolContext["sandbox"]["projectRoot"],
): Promise<FoundSkill> {
  try {
    return await catalog.find(name, projectRoot);
  } catch (error) {
    if (!(error instanceof EntryNotFoundError)) throw error;
    const known = error.known.slice(0, 50).join(", ");
    throw new ToolError("SKILL_UNKNOWN", `there is no skill ${name}; there are ${known || "none"}`);
  }
}
