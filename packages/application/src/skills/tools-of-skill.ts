import {
  BUILTIN_GROUPS,
  type BuiltinGroup,
  canonicalName,
  exposedToolName,
  like,
  type SkillRegistration,
  serverNamesOf,
  skillToolName,
} from "@cleveragents/domain";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { FoundSkill } from "../ports/skill-folders.ts";
import type { ToolDescriptor } from "../ports/tool-provider.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";

export interface SkillTool {
  readonly name: string;
  /** `builtin`, `custom`, `lsp`, `agent_skill`, or `mcp:SERVER`. */
  readonly source: string;
  /** The skill that brings it: this one, or one that it includes. */
  readonly fromSkill: string;
  readonly readOnly: boolean;
  readonly writes: boolean;
  /** What it does is undone with the plan's copy. */
  readonly checkpoint: boolean;
}

export interface SkillTools {
  readonly tools: readonly SkillTool[];
  /** Named by it, and not there now. */
  readonly missing: readonly MissingTool[];
}

export interface MissingTool {
  readonly name: string;
  readonly fromSkill: string;
  /** What to do about it, where that is known. */
  readonly hint?: string;
}

interface Deps {
  readonly registry: Pick<RegistryStore, "find">;
  readonly tools: Pick<ToolRunner, "list" | "find">;
  readonly skillIn: (folder: string) => Promise<FoundSkill | undefined>;
}

/** What a registered skill brings, with what it includes; of tools with one name the first. */
export async function toolsOfSkill(
  deps: Deps,
  name: string,
  registration: SkillRegistration,
): Promise<SkillTools> {
  const collected = new Collected(deps.tools);
  const seen = new Set<string>();
  const add = async (from: string, skill: SkillRegistration): Promise<void> => {
    if (seen.has(from)) return;
    seen.add(from);
    for (const tool of skill.tools) collected.add(tool, from);
    for (const tool of skill.anonymous_tools ?? []) collected.add(skillToolName(from, tool.name), from);
    for (const group of skill.builtins)
      for (const tool of BUILTIN_GROUPS[group as BuiltinGroup]) collected.add(tool, from);
    for (const server of serverNamesOf(from, skill.mcp_servers))
      await addServer(deps, collected, server, from);
    for (const folder of skill.agent_skill_folders) {
      const found = await deps.skillIn(folder);
      if (found === undefined) collected.missing.push({ name: folder, fromSkill: from });
      else addFolder(collected, found, from);
    }
    for (const included of skill.includes) {
      const entry = await deps.registry.find("skill", included);
      if (entry === undefined) collected.missing.push({ name: included, fromSkill: from });
      else await add(entry.name, entry.document as unknown as SkillRegistration); // checked when it was registered
    }
  };
  await add(name, registration);
  return collected;
}

/** What a skill with a SKILL.md brings: its scripts, and the tools that it asks for. */
export function toolsOfFolder(tools: Deps["tools"], skill: FoundSkill): SkillTools {
  const collected = new Collected(tools);
  addFolder(collected, skill, `local/${skill.name}`);
  return collected;
}

function addFolder(collected: Collected, { spec, name }: FoundSkill, from: string): void {
  const scripts = [...spec.steps, ...spec.definitionOfDone].flatMap(({ commands }) =>
    commands.map(({ script }) => script),
  );
  for (const script of new Set(scripts))
    collected.put({
      name: `${name}/${script}`,
      source: "agent_skill",
      fromSkill: from,
      readOnly: false,
      writes: true,
      checkpoint: true,
    });
  for (const { pattern, tools } of spec.tools ?? []) {
    if (tools.length === 0) collected.missing.push({ name: pattern, fromSkill: from });
    for (const tool of tools) collected.add(tool, from);
  }
}

async function addServer(
  { registry }: Deps,
  collected: Collected,
  server: string,
  from: string,
): Promise<void> {
  const full = canonicalName(server);
  const listing = await registry.find("mcp_tools", full);
  const listed = (listing?.document["tools"] ?? []) as unknown as readonly { readonly name: string }[]; // as the listing was stored
  // A server that was never asked has no tools yet.
  if (listing === undefined)
    collected.missing.push({
      name: full,
      fromSkill: from,
      hint: `agents mcp refresh ${full} lists its tools`,
    });
  // What a server offers and its document leaves out is not there.
  for (const { name } of listed)
    collected.addIfThere(`mcp/${exposedToolName(full, name)}`, from, `mcp:${full}`);
}

class Collected implements SkillTools {
  readonly tools: SkillTool[] = [];
  readonly missing: MissingTool[] = [];
  readonly #all: Deps["tools"];

  constructor(all: Deps["tools"]) {
    this.#all = all;
  }

  add(pattern: string, fromSkill: string): void {
    const found = pattern.includes("*")
      ? this.#all.list().filter(({ name }) => like(pattern, name))
      : [this.#all.find(pattern) ?? this.#all.find(`local/${pattern}`)].filter((one) => one !== undefined);
    if (found.length === 0 && !pattern.includes("*")) this.missing.push({ name: pattern, fromSkill });
    for (const tool of found) this.put(described(tool, fromSkill, tool.source));
  }

  addIfThere(name: string, fromSkill: string, source: string): void {
    const tool = this.#all.find(name);
    if (tool !== undefined) this.put(described(tool, fromSkill, source));
  }

  put(tool: SkillTool): void {
    if (!this.tools.some(({ name }) => name === tool.name)) this.tools.push(tool);
  }
}

function described({ name, readOnly, effect }: ToolDescriptor, fromSkill: string, source: string): SkillTool {
  const checkpoint = effect === "none" || effect === "sandbox";
  return { name, source, fromSkill, readOnly, writes: !readOnly, checkpoint };
}
