import { readdir, realpath } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@cleveragents/application";
import type { AgentSkillSpec, SkillDiagnostic } from "@cleveragents/domain";
import { LONGEST_SKILL, type ReadSkill, readSkill } from "./read-skill.ts";
import { readSkillFile, SKILL_FILES, skillFiles } from "./skill-files.ts";
import { SIDECAR } from "./skill-sidecar.ts";
import { strictProblems } from "./strict-problems.ts";

/** A folder holds no skill that can be used. */
export class SkillUnusableError extends Error {
  override readonly name = "SkillUnusableError";
  readonly diagnostics: readonly SkillDiagnostic[];
  constructor(folder: string, diagnostics: readonly SkillDiagnostic[]) {
    const told = diagnostics.filter(({ level }) => level === "error").map(({ message }) => message);
    super(`the folder ${path.basename(folder)} holds no skill: ${told.join("; ")}`);
    this.diagnostics = diagnostics;
  }
}

/** Reads a skill from its folder. */
export class AgentSkillLoader {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static fromFolder(folder: string): AgentSkillLoader {
    return new AgentSkillLoader(path.resolve(folder));
  }

  /** Throws {@link SkillUnusableError}; what is merely odd about it is among the diagnostics of {@link read}. */
  async load(): Promise<AgentSkillSpec> {
    const { spec, diagnostics } = await this.read();
    if (spec === undefined) throw new SkillUnusableError(this.#folder, diagnostics);
    return spec;
  }

  /** Never throws for what lies in the folder, or that it does not. */
  async read(): Promise<ReadSkill> {
    const file = await this.#file();
    if ("code" in file) return { diagnostics: [file] };
    const sidecar = await this.#sidecar();
    const { spec, diagnostics } = readSkill({ bytes: file.bytes, folder: await this.#name(), sidecar });
    if (spec === undefined) return { diagnostics };
    return { spec, diagnostics: [...diagnostics, ...(await this.#missingScripts(spec))] };
  }

  /** What the format's reference validator refuses. */
  async strictProblems(): Promise<readonly SkillDiagnostic[]> {
    const file = await this.#file();
    return "code" in file ? [file] : strictProblems(file.bytes, await this.#name());
  }

  /** A link to a skill is called as the skill is, if that is what the file says. */
  async #name(): Promise<string> {
    return path.basename(this.#folder);
  }

  async #file(): Promise<{ readonly bytes: Uint8Array } | SkillDiagnostic> {
    const name = await skillFileIn(this.#folder);
    if (name === undefined) return { level: "error", code: "no-skill-file", message: "there is no SKILL.md" };
    try {
      return await readSkillFile(await realpath(this.#folder), name, LONGEST_SKILL);
    } catch (error) {
      const why = error instanceof ToolError ? error.message : "cannot be read";
      const code =
        error instanceof ToolError && error.reason === "FILE_TOO_LARGE" ? "too-large" : "unreadable";
      return { level: "error", code, message: `${name}: ${why}` };
    }
  }

  async #sidecar(): Promise<string | undefined> {
    const file = await readSkillFile(this.#folder, SIDECAR, LONGEST_SKILL).catch(() => undefined);
    return file?.text;
  }

  async #missingScripts(spec: AgentSkillSpec): Promise<SkillDiagnostic[]> {
    const named = [...spec.steps, ...spec.definitionOfDone].flatMap(({ commands }) =>
      commands.map(({ script }) => script),
    );
    if (named.length === 0) return [];
    const files = await skillFiles(this.#folder).catch(() => []);
    const missing = [...new Set(named)].filter((script) => !files.some((file) => file.path === script));
    return missing.map((script) => ({
      level: "warning",
      code: "script-missing",
      message: `${script} is to be run, and is not there`,
    }));
  }
}

/** The name of the skill's file in a folder; undefined if it has none, or cannot be looked into. */
export async function skillFileIn(folder: string): Promise<string | undefined> {
  const entries: readonly string[] = await readdir(folder).catch(() => []);
  return SKILL_FILES.find((name) => entries.includes(name));
}
