import { realpath } from "node:fs/promises";
import path from "node:path";
import type { FoundSkills, SkillFolders } from "@cleveragents/application";
import { discoverAgentSkills, type SkillRoot } from "./discover-agent-skills.ts";
import { readSkill } from "./read-skill.ts";
import { strictProblems } from "./strict-problems.ts";

/** Below a project, and below the user's home; ours first, then those that agents share, then that of another agent. */
const PLACES = [".cleveragents/skills", ".agents/skills", ".claude/skills"];

export interface AgentSkillFoldersDeps {
  /** Of the user; without one only projects, registered folders and the path are looked at. */
  readonly home?: string | undefined;
  /** Folders parted as in PATH: CLEVERAGENTS_SKILLS_PATH. Relative ones mean nothing to a server and are left out. */
  readonly searchPath?: string | undefined;
}

/** Skills in the places of this host where agents look for them. */
export class AgentSkillFolders implements SkillFolders {
  readonly #home: string | undefined;
  readonly #path: readonly string[];

  constructor({ home, searchPath = "" }: AgentSkillFoldersDeps) {
    this.#home = home !== undefined && path.isAbsolute(home) ? home : undefined;
    this.#path = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  }

  async discover({
    project,
    registered,
    alone = false,
  }: Parameters<SkillFolders["discover"]>[0]): Promise<FoundSkills> {
    const named = registered.map(
      (folder): SkillRoot => ({ path: this.#fromHome(folder), source: "registered", expected: true }),
    );
    if (alone) return await discoverAgentSkills(named);
    const home = this.#home;
    return await discoverAgentSkills([
      ...(project === undefined ? [] : await this.#ofProject(project)),
      ...named,
      ...this.#path.map((folder): SkillRoot => ({ path: folder, source: "path", expected: true })),
      ...(home === undefined
        ? []
        : PLACES.map((place): SkillRoot => ({ path: path.join(home, place), source: "user" }))),
    ]);
  }

  judge({ bytes, folder, strict }: Parameters<SkillFolders["judge"]>[0]): ReturnType<SkillFolders["judge"]> {
    const read = readSkill({ bytes, folder });
    return strict ? { ...read, diagnostics: strictProblems(bytes, folder) } : read;
  }

  async #ofProject(project: string): Promise<SkillRoot[]> {
    const real = await realpath(project).catch(() => undefined);
    if (real === undefined) return [];
    return PLACES.map((place) => ({ path: path.join(real, place), source: "project", within: real }));
  }

  #fromHome(folder: string): string {
    return this.#home !== undefined && folder.startsWith("~/")
      ? path.join(this.#home, folder.slice(2))
      : folder;
  }
}
