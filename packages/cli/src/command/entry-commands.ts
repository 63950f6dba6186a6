import { resolve } from "node:path";
import { fields } from "../output/words.ts";
import { toYaml } from "../output/yaml.ts";
import { callCommand } from "./call-command.ts";
import type { Command, Invocation } from "./command.ts";
import { documentParams } from "./document.ts";

/** Kinds of registered things whose commands differ in their names only. */
export type EntryNoun =
  | "action"
  | "actor"
  | "project"
  | "tool"
  | "skill"
  | "mcp"
  | "lsp"
  | "resource"
  | "resource_type"
  | "validation";

// One kind stands for all of them: what is read of results is the same in each.
const method = <V extends string>(noun: EntryNoun, verb: V) =>
  `_cleveragents/registry/${noun}/${verb}` as `_cleveragents/registry/skill/${V}`;

const names = ({ name }: { readonly name: string }) => [name];

/** The document of an entry as YAML that `add` takes; `field` is its name in the result. */
export function showEntry(noun: EntryNoun, field: string): Command {
  return callCommand({
    method: method(noun, "show"),
    params: ({ values }) => ({ name: values.positional("NAME") }),
    text: (result) => toYaml((result as unknown as Record<string, unknown>)[field] ?? result).trimEnd(),
    names,
  });
}

export function addEntry(noun: EntryNoun, word: string, next: (name: string) => string): Command {
  return callCommand({
    method: method(noun, "add"),
    async params(invocation) {
      const trust = invocation.values.isSet("trust") ? { trust: true } : {};
      return { ...(await placedDocument(noun, invocation)), ...trust };
    },
    text: ({ name, description }) =>
      fields([
        [word, name],
        ["Description", description],
        ["Next", next(name)],
      ]),
    names,
  });
}

export function updateEntry(noun: EntryNoun, word: string): Command {
  return callCommand({
    method: method(noun, "update"),
    async params(invocation) {
      const { document, file } = await placedDocument(noun, invocation);
      return { document, file, revision: invocation.values.text("revision") };
    },
    text: ({ name, description }) =>
      fields([
        [word, name],
        ["Description", description],
      ]),
    names,
  });
}

export function removeEntry(noun: EntryNoun): Command {
  return callCommand({
    method: method(noun, "remove"),
    params: ({ values }) => ({
      name: values.positional("NAME"),
      revision: values.text("revision"),
      ...(values.isSet("force") ? { force: true } : {}),
    }),
    text: ({ name, also_removed }) =>
      [`Removed ${name}`, ...also_removed.map((one) => `  and ${one}`)].join("\n"),
    names,
  });
}

/** A skill names folders relative to its file, so that the agent has to know where that is. */
async function placedDocument(noun: EntryNoun, invocation: Invocation) {
  const given = await documentParams(invocation);
  return noun === "skill" ? { ...given, file: resolve(invocation.context.cwd, given.file) } : given;
}
