export type RegistryKind =
  | "action"
  | "project"
  | "actor"
  | "tool"
  | "profile"
  | "validation"
  | "attachment"
  | "invariant"
  | "skill"
  | "resource"
  | "resource_type"
  | "lsp"
  | "mcp"
  | "mcp_tools"
  | "trust";

export class EntryNotFoundError extends Error {
  override readonly name = "EntryNotFoundError";
  readonly kind: RegistryKind;
  readonly entry: string;
  readonly known: readonly string[];
  constructor(kind: RegistryKind, entry: string, known: readonly string[] = []) {
    super(`no ${inWords(kind)} ${entry}`);
    this.kind = kind;
    this.entry = entry;
    this.known = known;
  }
}

export class EntryExistsError extends Error {
  override readonly name = "EntryExistsError";
  readonly kind: RegistryKind;
  readonly entry: string;
  constructor(kind: RegistryKind, entry: string) {
    super(`there is already ${withArticle(kind)} ${entry}`);
    this.kind = kind;
    this.entry = entry;
  }
}

/** Others need it, so it stays. `users` are in words: `the action local/fix`. */
export class EntryInUseError extends Error {
  override readonly name = "EntryInUseError";
  readonly kind: RegistryKind;
  readonly entry: string;
  readonly users: readonly string[];
  /** All of them would go with it without harm, if that is what is wanted. */
  readonly forcible: boolean;
  constructor(kind: RegistryKind, entry: string, users: readonly string[], forcible: boolean) {
    super(`the ${inWords(kind)} ${entry} is used by ${users.join(", ")}`);
    this.kind = kind;
    this.entry = entry;
    this.users = users;
    this.forcible = forcible;
  }
}

/** It is not the revision any more that somebody has seen. */
export class EntryChangedError extends Error {
  override readonly name = "EntryChangedError";
  readonly kind: RegistryKind;
  readonly entry: string;
  constructor(kind: RegistryKind, entry: string) {
    super(`the ${inWords(kind)} ${entry} has changed meanwhile`);
    this.kind = kind;
    this.entry = entry;
  }
}

/** What people call a kind: `resource type`. */
export function inWords(kind: RegistryKind): string {
  return kind === "mcp" ? "MCP server" : kind === "lsp" ? "language server" : kind.replace("_", " ");
}

function withArticle(kind: RegistryKind): string {
  const words = inWords(kind);
  return `${/^[aeiou]|^MCP/.test(words) ? "an" : "a"} ${words}`;
}

export interface DocumentProblem {
  /** Where in the document, e.g. `steps.2.write.path`; empty for the whole. */
  readonly path: string;
  readonly problem: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
}

/** A document (an action, an actor) that cannot be read, with every problem found. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly file: string;
  readonly problems: readonly DocumentProblem[];
  constructor(file: string, problems: readonly DocumentProblem[]) {
    super(
      problems
        .map(
          (p) =>
            `${file}${p.line === undefined ? "" : `:${p.line}`}: ${p.path === "" ? "" : `${p.path}: `}${p.problem}`,
        )
        .join("\n"),
    );
    this.file = file;
    this.problems = problems;
  }
}
