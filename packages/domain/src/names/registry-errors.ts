export type RegistryKind =
  | "action"
  | "project"
  | "actor"
  | "tool"
  | "profile"
  | "validation"
  | "attachment"
  | "invariant";

export class EntryNotFoundError extends Error {
  override readonly name = "EntryNotFoundError";
  readonly kind: RegistryKind;
  readonly entry: string;
  readonly known: readonly string[];
  constructor(kind: RegistryKind, entry: string, known: readonly string[] = []) {
    super(`no ${kind} ${entry}`);
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
    super(`there is already ${kind === "action" || kind === "actor" ? "an" : "a"} ${kind} ${entry}`);
    this.kind = kind;
    this.entry = entry;
  }
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
