import type { Command } from "./command.ts";

export interface FlagSpec {
  /** `list` may be given again and again; `number` is a positive number. */
  readonly type: "boolean" | "string" | "list" | "number";
  readonly summary: string;
  /** Placeholder of the value, in help. */
  readonly value?: string;
  readonly short?: string;
  readonly choices?: readonly string[];
  /** In help only; whoever reads the flag applies it. */
  readonly default?: string;
  /** The variable that stands in for the flag. */
  readonly env?: string;
}
export type Flags = Readonly<Record<string, FlagSpec>>;

export interface PositionalSpec {
  readonly name: string;
  readonly summary: string;
  readonly optional?: true;
  readonly choices?: readonly string[];
  /** The last one may take every word that is left. */
  readonly many?: true;
}

export interface Example {
  readonly command: string;
  readonly comment?: string;
}

/** One command: what help says about it, how its arguments are read, and where its code is. */
export interface CommandRow {
  readonly path: readonly [noun: string, ...verbs: string[]];
  /** Other spellings of the path. */
  readonly aliases?: readonly (readonly [string, ...string[]])[];
  readonly summary: string;
  readonly details?: string;
  readonly positionals?: readonly PositionalSpec[];
  readonly flags?: Flags;
  /** Reads and writes the configuration itself, so that it is not applied to it. */
  readonly configures?: true;
  /** Two to four, each to be copied as it stands. */
  readonly examples: readonly Example[];
  readonly seeAlso?: readonly string[];
  /** Loaded only when the command runs, so that help stays quick. */
  readonly load: () => Promise<{ readonly command: Command }>;
}
