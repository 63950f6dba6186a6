import type { CommandRow, FlagSpec, Flags } from "../command/command-row.ts";
import type { EntryNoun } from "../command/entry-commands.ts";
import { CONFIG, FILE, NAME, UPDATE } from "./reused-specs.ts";

const REVISION: FlagSpec = {
  type: "string",
  value: "R",
  summary: "only if it is this one, as show -o json tells it",
};
const FORCE: FlagSpec = { type: "boolean", summary: "with all that is only about it, such as attachments" };

interface Entry {
  /** Words of the command: `resource type`. */
  readonly path: readonly [string, ...string[]];
  /** In a sentence. */
  readonly one: string;
  /** A file and a name for examples. */
  readonly file: string;
  readonly name: string;
  /** The document's name in the result. */
  readonly field: string;
  /** First word of what `add` answers. */
  readonly word: string;
  /** The command that comes after `add`. */
  readonly next: (name: string) => string;
  readonly addFlags?: Flags;
}

type Row<K extends string, V extends string> = {
  readonly [N in `_cleveragents/registry/${K}/${V}`]: CommandRow;
};
const rowOf = <K extends string, V extends string>(kind: K, verb: V, row: CommandRow) =>
  ({ [`_cleveragents/registry/${kind}/${verb}`]: row }) as unknown as Row<K, V>; // the name is computed

const article = (one: string) => `${/^[aeiou]|^MCP/.test(one) ? "an" : "a"} ${one}`;

export function showRow<K extends EntryNoun>(kind: K, { path, one, name, field }: Entry): Row<K, "show"> {
  const noun = path.join(" ");
  return rowOf(kind, "show", {
    path: [path[0], ...path.slice(1), "show"],
    summary: `One ${one}, as YAML that add takes.`,
    positionals: [NAME],
    examples: [
      { command: `agents ${noun} show ${name}` },
      { command: `agents ${noun} show ${name} -o json`, comment: "with everything else that is known" },
    ],
    seeAlso: [`${noun} list`],
    async load() {
      const { showEntry } = await import("../command/entry-commands.ts");
      return { command: showEntry(kind, field) };
    },
  });
}

export function addRow<K extends EntryNoun>(kind: K, of: Entry): Row<K, "add"> {
  const { path, one, file, word, next, addFlags = {} } = of;
  const noun = path.join(" ");
  return rowOf(kind, "add", {
    path: [path[0], ...path.slice(1), "add"],
    summary: `Register ${article(one)} from its file.`,
    positionals: [{ ...FILE, optional: true }],
    flags: { config: CONFIG, update: UPDATE, ...addFlags },
    examples: [
      { command: `agents ${noun} add ${file}` },
      { command: `agents ${noun} add ${file} --update`, comment: "after an edit" },
    ],
    seeAlso: [`${noun} show`, `${noun} update`],
    async load() {
      const { addEntry } = await import("../command/entry-commands.ts");
      return { command: addEntry(kind, word, next) };
    },
  });
}

export function updateRow<K extends EntryNoun>(kind: K, { path, one, file, word }: Entry): Row<K, "update"> {
  const noun = path.join(" ");
  return rowOf(kind, "update", {
    path: [path[0], ...path.slice(1), "update"],
    summary: `Replace a registered ${one} by its file.`,
    positionals: [{ ...FILE, optional: true }],
    flags: { config: CONFIG, revision: REVISION },
    examples: [{ command: `agents ${noun} update ${file}` }],
    seeAlso: [`${noun} show`, `${noun} add`],
    async load() {
      const { updateEntry } = await import("../command/entry-commands.ts");
      return { command: updateEntry(kind, word) };
    },
  });
}

export function removeRow<K extends EntryNoun>(kind: K, { path, one, name }: Entry): Row<K, "remove"> {
  const noun = path.join(" ");
  return rowOf(kind, "remove", {
    path: [path[0], ...path.slice(1), "remove"],
    ...(kind === "project" ? { aliases: [["project", "delete"] as const] } : {}),
    summary: `Forget a registered ${one} that nothing uses.`,
    details:
      "What needs it is named, and nothing is removed. Plans that exist keep what they were made with.",
    positionals: [NAME],
    flags: { force: FORCE, revision: REVISION },
    examples: [{ command: `agents ${noun} remove ${name}` }],
    seeAlso: [`${noun} list`],
    async load() {
      const { removeEntry } = await import("../command/entry-commands.ts");
      return { command: removeEntry(kind) };
    },
  });
}
