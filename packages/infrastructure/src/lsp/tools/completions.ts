import type { JsonObject } from "@cleveragents/domain";
import type { CompletionItem, CompletionList } from "vscode-languageserver-protocol/node";
import { z } from "zod";
import { PLACE_ARGUMENTS, placeIn } from "./arguments.ts";
import { counted, cut } from "./locations.ts";
import { type Asked, asking, defineLspTool, onFile } from "./lsp-tool.ts";

const COMPLETIONS: Asked = {
  capability: "completions",
  method: "textDocument/completion",
  said: "completionProvider",
};
const SNIPPET = 2;
const KINDS = [
  ..."text method function constructor field variable class interface module property unit value enum".split(
    " ",
  ),
  ..."keyword snippet color file reference folder enum-member constant struct event operator type-parameter".split(
    " ",
  ),
];

export const completionsTool = defineLspTool({
  name: "completions",
  aliases: ["lsp.completion", "lsp/completion"],
  description: "What could stand at a place of a file, the most likely first.",
  input: z.strictObject({
    ...PLACE_ARGUMENTS,
    prefix: z.string().max(200).optional().describe("only what begins so"),
    limit: z.number().int().min(1).max(200).default(50),
  }),
  async run(args, call) {
    return await onFile(call, args.path, COMPLETIONS, "completions", async (session, document) => {
      const { client } = session;
      const answer = await client.ask<CompletionItem[] | CompletionList | null>(
        COMPLETIONS.method,
        {
          textDocument: { uri: document.uri },
          position: document.lines.toPosition(placeIn(document, args), client.encoding),
          context: { triggerKind: 1 },
        },
        asking(session, call),
      );
      const all = Array.isArray(answer) ? answer : (answer?.items ?? []);
      const chosen = all
        .filter(({ label }) => args.prefix === undefined || label.startsWith(args.prefix))
        .sort((a, b) => compare(a.sortText ?? a.label, b.sortText ?? b.label));
      const items = chosen.slice(0, args.limit).map(shown);
      return {
        value: { items, total: chosen.length, ...cut(chosen.length, items.length) },
        summary: counted(chosen.length, "completion"),
      };
    });
  },
});

function shown(item: CompletionItem): JsonObject {
  const { label, kind, detail, insertText, insertTextFormat, textEdit, labelDetails } = item;
  const text = textEdit?.newText ?? insertText;
  const kindName = kind === undefined ? undefined : KINDS[kind - 1];
  const said = detail ?? labelDetails?.detail ?? labelDetails?.description;
  return {
    label,
    ...(kindName === undefined ? {} : { kind: kindName }),
    ...(said === undefined ? {} : { detail: said.slice(0, 300) }),
    // A snippet is for an editor that walks through its places.
    ...(text === undefined || text === label || insertTextFormat === SNIPPET
      ? {}
      : { inserts: text.slice(0, 500) }),
    ...(item.deprecated === true || item.tags?.includes(1) === true ? { deprecated: true } : {}),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
