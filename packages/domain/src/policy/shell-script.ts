/** A word as the shell passes it on; without a value where only the running shell knows what that will be. */
export interface ShellWord {
  readonly text: string;
  readonly value?: string;
}

export interface ShellRedirect {
  readonly operator: string;
  readonly target?: ShellWord;
}

/** One simple command of a script, wherever in it it stands: in a pipe, a loop, a substitution, a here-document. */
export interface ShellCommand {
  /** The program and its arguments; none where there are assignments or redirections alone. */
  readonly words: readonly ShellWord[];
  /** Names of variables that are set for it or by it. */
  readonly assignments: readonly string[];
  readonly redirects: readonly ShellRedirect[];
}

export interface ShellScript {
  readonly commands: readonly ShellCommand[];
  /** What was not understood well enough to say what it does. */
  readonly unclear: readonly string[];
}

/** Reads the text that `sh -c` is given. Never throws: what cannot be read is unclear. */
export interface ShellParser {
  parse(text: string): ShellScript;
}
