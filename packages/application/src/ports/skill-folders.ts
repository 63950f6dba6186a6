import type { AgentSkillSpec, SkillDiagnostic } from "@cleveragents/domain";

/** Whose folder a skill lies in; of two with one name that of the earlier source counts. */
export const SKILL_SOURCES = ["project", "registered", "path", "user"] as const;
export type SkillSource = (typeof SKILL_SOURCES)[number];

export interface FoundSkill {
  /** Unique among those that are found together. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly spec: AgentSkillSpec;
  /** Real path on this host. */
  readonly folder: string;
  readonly source: SkillSource;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Everything that was odd about one folder, in one line. */
export interface FolderDiagnostic extends SkillDiagnostic {
  readonly folder: string;
}

export interface FoundSkills {
  /** By name, ascending. */
  readonly skills: readonly FoundSkill[];
  /** Not there, because another one has the same name. */
  readonly shadowed: readonly {
    readonly name: string;
    readonly folder: string;
    readonly source: SkillSource;
    readonly by: string;
  }[];
  /** One for each folder that something is to be said about. */
  readonly diagnostics: readonly FolderDiagnostic[];
}

/** Folders with a SKILL.md on this host. Starts nothing, and never fails for what lies there. */
export interface SkillFolders {
  /** In a project's own places, in folders that were registered, on the search path, and in the user's places. */
  discover(where: {
    readonly project?: string | undefined;
    readonly registered: readonly string[];
    /** Nowhere but in the registered folders. */
    readonly alone?: boolean;
  }): Promise<FoundSkills>;
  /** What there is to say of a SKILL.md. `strict`: by the format's reference validator, instead of as it is read here. */
  judge(source: { readonly bytes: Uint8Array; readonly folder: string; readonly strict: boolean }): {
    readonly spec?: AgentSkillSpec;
    readonly diagnostics: readonly SkillDiagnostic[];
  };
}
