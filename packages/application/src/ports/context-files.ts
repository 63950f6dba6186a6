import type { ContextView } from "@cleveragents/domain";
import type { Sandbox } from "./workspace.ts";

export interface ContextFile {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
}

export interface ReadContextFiles {
  /** Those of the view's first glob first, each by path. */
  readonly files: readonly ContextFile[];
  /** What a limit has left out, in words. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/** Reads the files of a plan's copy that models are told without asking. */
export interface ContextFiles {
  /**
   * Texts alone; links are not followed, and nothing of a repository's own folder is read. What is gone or cannot be read is
   * left out. Throws the signal's reason, and nothing else.
   */
  read(sandbox: Sandbox, view: ContextView, signal: AbortSignal): Promise<ReadContextFiles>;
}
