import {
  type AgentSkillSpec,
  canonicalName,
  InvalidNameError,
  type Project,
  type SkillDiagnostic,
  type SkillRegistration,
} from "@cleveragents/domain";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";
import type { FoundSkill, FoundSkills } from "../ports/skill-folders.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import { foldersOf, type SkillCatalog } from "./skill-catalog.ts";
import { type SkillTools, toolsOfFolder, toolsOfSkill } from "./tools-of-skill.ts";

export interface SkillServiceDeps {
  readonly catalog: SkillCatalog;
  readonly registry: Pick<RegistryStore, "list" | "find">;
  readonly tools: Pick<ToolRunner, "list" | "find" | "refresh">;
}

export interface JudgedSkill {
  readonly valid: boolean;
  readonly spec: AgentSkillSpec | undefined;
  readonly diagnostics: readonly SkillDiagnostic[];
}

export interface RefreshedSkill {
  readonly name: string;
  /** `skipped`: there is nothing that it could be made of now. */
  readonly status: "refreshed" | "unchanged" | "skipped";
  readonly tools: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface RefreshedSkills extends Pick<FoundSkills, "shadowed" | "diagnostics"> {
  readonly skills: readonly RefreshedSkill[];
}

/** Projects whose own skills are shown in a list of all. */
const MOST_PROJECTS = 50;

/** Skills, registered and found in folders. */
export class SkillService {
  readonly #deps: SkillServiceDeps;
  /** Names of the tools of each skill when it was last looked at; exchanged as a whole. */
  #known: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(deps: SkillServiceDeps) {
    this.#deps = deps;
  }

  /** Skills with a SKILL.md as entries, of this host and of all projects; of one name the first. */
  async discovered(): Promise<readonly RegistryEntry[]> {
    const { catalog, registry } = this.#deps;
    const projects = (await registry.list("project")).slice(0, MOST_PROJECTS);
    const found: FoundSkill[] = [];
    for (const { document } of projects)
      found.push(
        ...(await catalog.found((document as unknown as Project).path)).skills.filter(
          ({ source }) => source === "project",
        ),
      );
    const host = (await catalog.found()).skills;
    const entries = [...host, ...found].map(entryOf);
    return [...new Map(entries.reverse().map((entry) => [entry.name, entry])).values()];
  }

  /** What there is to say of a SKILL.md, wherever it lies. */
  validate(document: string, folder: string, strict: boolean): JudgedSkill {
    const bytes = new TextEncoder().encode(document);
    const { spec, diagnostics } = this.#deps.catalog.judge({ bytes, folder, strict });
    return { valid: diagnostics.every(({ level }) => level !== "error"), spec, diagnostics };
  }

  /** A skill that can be activated, with its instructions. Throws `EntryNotFoundError`. */
  async find(name: string, project?: string): Promise<FoundSkill> {
    return await this.#deps.catalog.find(name, await this.#folderOf(project));
  }

  /** What a skill of one folder tells a model, as it stands in its SKILL.md. */
  async instructions(entry: Pick<RegistryEntry, "document">): Promise<string | undefined> {
    const [folder, ...others] = foldersOf(entry);
    if (folder === undefined || others.length > 0) return undefined;
    return (await this.#deps.catalog.inFolder(folder))?.spec.instructions;
  }

  /** The tools of a skill, registered or found. Throws `EntryNotFoundError`. */
  async tools(name: string, project?: string): Promise<SkillTools & { readonly skill: string }> {
    await this.#deps.tools.refresh();
    const entry = await this.#registered(name);
    if (entry !== undefined) return { skill: entry.name, ...(await this.#toolsOf(entry)) };
    const found = await this.find(name, project);
    return { skill: `local/${found.name}`, ...toolsOfFolder(this.#deps.tools, found) };
  }

  /** Looks anew at what skills are made of: at one, or at all. Throws `EntryNotFoundError` for one that is not there. */
  async refresh(name?: string): Promise<RefreshedSkills> {
    const { catalog, tools, registry } = this.#deps;
    catalog.forget();
    await tools.refresh();
    const { skills, shadowed, diagnostics } = await catalog.found();
    const now = new Map<string, readonly string[]>();
    const lost = new Set<string>();
    for (const entry of await registry.list("skill")) {
      const of = await this.#toolsOf(entry);
      if (of.tools.length === 0 && of.missing.length > 0) lost.add(entry.name);
      now.set(entry.name, namesOf(of));
    }
    for (const skill of skills) {
      const full = `local/${skill.name}`;
      if (!now.has(full)) now.set(full, namesOf(toolsOfFolder(tools, skill)));
    }
    const before = this.#known;
    this.#known = now;
    const full = name === undefined ? undefined : await this.#fullName(name, now);
    const refreshed = [...now].filter(([one]) => full === undefined || one === full);
    return {
      skills: refreshed.map(([one, names]) => changeOf(one, names, before.get(one), lost.has(one))),
      shadowed,
      diagnostics,
    };
  }

  /** For whoever has changed what skills are made of, such as an MCP server's tools. */
  async refreshAll(): Promise<void> {
    await this.refresh();
  }

  async #toolsOf(entry: RegistryEntry): Promise<SkillTools> {
    const { registry, tools, catalog } = this.#deps;
    return await toolsOfSkill(
      { registry, tools, skillIn: (folder) => catalog.inFolder(folder) },
      entry.name,
      entry.document as unknown as SkillRegistration, // checked when it was registered
    );
  }

  async #fullName(name: string, known: ReadonlyMap<string, unknown>): Promise<string> {
    const entry = await this.#registered(name);
    if (entry !== undefined) return entry.name;
    const plain = `local/${name}`;
    if (known.has(name)) return name;
    if (known.has(plain)) return plain;
    return `local/${(await this.#deps.catalog.find(name)).name}`;
  }

  async #registered(name: string): Promise<RegistryEntry | undefined> {
    try {
      return await this.#deps.registry.find("skill", canonicalName(name));
    } catch (error) {
      if (error instanceof InvalidNameError) return undefined;
      throw error;
    }
  }

  async #folderOf(project: string | undefined): Promise<string | undefined> {
    if (project === undefined) return undefined;
    const entry = await this.#deps.registry.find("project", canonicalName(project));
    return (entry?.document as Project | undefined)?.path;
  }
}

function namesOf({ tools }: SkillTools): readonly string[] {
  return tools.map(({ name }) => name);
}

function changeOf(
  name: string,
  now: readonly string[],
  before: readonly string[] | undefined,
  lost: boolean,
): RefreshedSkill {
  const added = before === undefined ? [] : now.filter((tool) => !before.includes(tool));
  const removed = before === undefined ? [] : before.filter((tool) => !now.includes(tool));
  const same = before !== undefined && added.length === 0 && removed.length === 0;
  return {
    name,
    status: lost ? "skipped" : same ? "unchanged" : "refreshed",
    tools: now.length,
    added,
    removed,
  };
}

function entryOf({ name, version, description, folder }: FoundSkill): RegistryEntry {
  const document: Record<keyof SkillRegistration, string | string[]> = {
    name: `local/${name}`,
    description,
    version,
    tools: [],
    anonymous_tools: [],
    includes: [],
    mcp_servers: [],
    agent_skill_folders: [folder],
    builtins: [],
  };
  return { kind: "skill", name: `local/${name}`, document, createdAt: 0, updatedAt: 0 };
}
