/** What people type who come from other programs, and what it is called here; first what fits best. */
export const VERBS: Readonly<Record<string, readonly string[]>> = {
  ls: ["list"],
  get: ["show", "status", "list"],
  show: ["status"],
  info: ["show", "status"],
  describe: ["show", "status"],
  view: ["show", "status"],
  rm: ["remove", "delete"],
  delete: ["remove"],
  del: ["remove", "delete"],
  new: ["create", "add", "use"],
  create: ["add", "use"],
  add: ["create", "use"],
  edit: ["update"],
  run: ["execute", "test"],
  start: ["execute"],
  exec: ["execute"],
  resume: ["execute"],
  continue: ["execute"],
  stop: ["cancel", "close"],
  kill: ["cancel"],
  abort: ["cancel"],
  undo: ["rollback"],
  accept: ["approve"],
  log: ["watch"],
  logs: ["watch"],
  follow: ["watch"],
};

/** Words in the place of a noun: a command that is whole. */
export const NOUNS: Readonly<Record<string, string>> = {
  ls: "plan list",
  status: "plan status",
  run: "plan execute",
  execute: "plan execute",
  diff: "plan diff",
  apply: "plan apply",
  undo: "plan rollback",
  rollback: "plan rollback",
  watch: "plan watch",
  logs: "plan watch",
  use: "plan use",
  chat: "session tell",
  doctor: "diagnostics",
  info: "diagnostics",
  start: "serve",
  connect: "server connect",
};

const FLAGS: Readonly<Record<string, string>> = {
  json: "-o json",
  yaml: "-o yaml",
  format: "-o json",
  force: "--yes",
};

/** `list plans`, in the place of `plan list`. */
export function turnedAround(
  [verb = "", noun = ""]: readonly string[],
  verbsOf: (noun: string) => ReadonlySet<string>,
): string | undefined {
  const one = noun.replace(/s$/, "");
  const verbs = verbsOf(one);
  const meant = verbs.has(verb) ? verb : verbLike(verb, verbs);
  return meant === undefined ? undefined : `${one} ${meant}`;
}

/** The verb among those that there are which another program's word means. */
export function verbLike(word: string, verbs: ReadonlySet<string>): string | undefined {
  return own(VERBS, word)?.find((verb) => verbs.has(verb));
}

export function commandLike(word: string): string | undefined {
  return own(NOUNS, word);
}

export function flagLike(name: string): string | undefined {
  return own(FLAGS, name);
}

function own<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
