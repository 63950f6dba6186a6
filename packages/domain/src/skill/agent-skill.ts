/** Something about a skill that its author or its user should know. `error`: the skill is not there because of it. */
export interface SkillDiagnostic {
  readonly level: "error" | "warning" | "info";
  /** Stable, e.g. `description-missing`. */
  readonly code: string;
  readonly message: string;
  /** Of the file, from 1. */
  readonly line?: number;
}

/** A script that a step says to run, word by word. */
export interface SkillCommand {
  /** Path in the skill's folder, e.g. `scripts/deploy.sh`. */
  readonly script: string;
  readonly args: readonly string[];
  /** The program that it is written with in front of it, e.g. `python3`. */
  readonly interpreter?: string;
}

export interface SkillStep {
  /** From 1, in the order of the text. */
  readonly index: number;
  readonly title: string;
  readonly instructions: string;
  readonly commands: readonly SkillCommand[];
}

/** A tool that a skill asks for, as its `allowed-tools` names it. */
export interface AgentSkillToolDescriptor {
  /** As it is written, e.g. `Bash(git:*)`. */
  readonly pattern: string;
  /** Names of our tools that it means, `*` for any letters; none if we know no such tool. */
  readonly tools: readonly string[];
  /** Of a pattern for commands: the rule of a command policy that it amounts to. */
  readonly commands?: string;
}

/** Something that whoever runs the skill hands to it. */
export interface AgentSkillResourceSlot {
  readonly name: string;
  readonly type: string;
  readonly access: "read_only" | "read_write";
  readonly required: boolean;
  readonly description: string;
}

/** What a skill's folder says, read leniently. */
export interface AgentSkillSpec {
  /** By the rules of the format, whatever stands in the file; unlike others it is a handle. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly title?: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly format: "frontmatter" | "heading";
  readonly steps: readonly SkillStep[];
  readonly definitionOfDone: readonly { readonly text: string; readonly commands: readonly SkillCommand[] }[];
  /** What it asks to use; undefined if it does not say. */
  readonly tools: readonly AgentSkillToolDescriptor[] | undefined;
  readonly resourceSlots: readonly AgentSkillResourceSlot[];
  /** Everything behind the front matter, byte for byte. */
  readonly instructions: string;
}
