import { canonicalName, EntryNotFoundError, InvalidNameError } from "@cleveragents/domain";
import type { Clock } from "../ports/clock.ts";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";
import type { FoundSkill, FoundSkills, SkillFolders } from "../ports/skill-folders.ts";

/** How long what was found counts without looking again, so that a burst of questions looks once. */
const FRESH_MS = 1000;
const HOST = "";

/** Which skills there are, for a project or for none. */
export class SkillCatalog {
  readonly #registry: Pick<RegistryStore, "list" | "find">;
  readonly #folders: SkillFolders;
  readonly #clock: Clock;
  /** By the project's path. What was found stays whole until something else was found whole. */
  readonly #found = new Map<string, { readonly at: number; readonly skills: Promise<FoundSkills> }>();

  constructor(deps: {
    readonly registry: Pick<RegistryStore, "list" | "find">;
    readonly folders: SkillFolders;
    readonly clock: Clock;
  }) {
    this.#registry = deps.registry;
    this.#folders = deps.folders;
    this.#clock = deps.clock;
  }

  /** In the places of this host, in folders that were registered, and in those of a project if one is named. */
  async found(project?: string): Promise<FoundSkills> {
    const now = this.#clock.now();
    const key = project ?? HOST;
    const there = this.#found.get(key);
    if (there !== undefined && Math.abs(now - there.at) < FRESH_MS) return await there.skills;
    const skills = this.#look(project);
    this.#found.set(key, { at: now, skills });
    skills.catch(() => this.#found.delete(key));
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= 100) break;
      this.#found.delete(oldest);
    }
    return await skills;
  }

  /** What was found before does not count any more. */
  forget(): void {
    this.#found.clear();
  }

  /**
   * A skill with a SKILL.md: by the name that stands in it, with or without `local/`, or by that of a registered skill
   * that is one folder. Throws `EntryNotFoundError`, which lists what there is.
   */
  async find(name: string, project?: string): Promise<FoundSkill> {
    const { skills } = await this.found(project);
    const plain = name.startsWith("local/") ? name.slice("local/".length) : name;
    const found = skills.find((skill) => skill.name === plain.normalize("NFKC"));
    if (found !== undefined) return found;
    const folders = foldersOf(await this.#registered(name));
    const [folder] = folders;
    const only = folder === undefined || folders.length > 1 ? undefined : await this.inFolder(folder);
    if (only !== undefined) return only;
    throw new EntryNotFoundError(
      "skill",
      name,
      skills.map((skill) => skill.name),
    );
  }

  /** The skill in a folder, or the first below it. */
  async inFolder(folder: string): Promise<FoundSkill | undefined> {
    return (await this.#folders.discover({ registered: [folder], alone: true })).skills[0];
  }

  /** What there is to say of a SKILL.md, wherever it lies. */
  judge(source: Parameters<SkillFolders["judge"]>[0]): ReturnType<SkillFolders["judge"]> {
    return this.#folders.judge(source);
  }

  async #look(project: string | undefined): Promise<FoundSkills> {
    const entries = await this.#registry.list("skill");
    return await this.#folders.discover({ project, registered: entries.flatMap(foldersOf) });
  }

  async #registered(name: string): Promise<RegistryEntry | undefined> {
    try {
      return await this.#registry.find("skill", canonicalName(name));
    } catch (error) {
      if (error instanceof InvalidNameError) return undefined; // names in a SKILL.md may be others than ours
      throw error;
    }
  }
}

/** The folders that a registered skill names. */
export function foldersOf(entry: Pick<RegistryEntry, "document"> | undefined): readonly string[] {
  return (entry?.document["agent_skill_folders"] ?? []) as readonly string[]; // checked when it was registered
}
