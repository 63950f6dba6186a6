import type { ToolResult } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import type {
  CodeAction,
  Command,
  Diagnostic,
  Range,
  WorkspaceEdit,
} from "vscode-languageserver-protocol/node";
import { z } from "zod";
import { diagnosticsOf } from "../file-diagnostics.ts";
import type { LspSession } from "../language-server.ts";
import { lspFailure } from "../lsp-failure.ts";
import type { OpenDocument } from "../open-documents.ts";
import { editedFiles } from "../workspace-edit.ts";
import { writeEdited } from "../write-edited.ts";
import { PLACE_ARGUMENTS, placeIn } from "./arguments.ts";
import { counted, cut } from "./locations.ts";
import { type Asked, asking, defineLspTool, type LspCall, onFile } from "./lsp-tool.ts";

const ACTIONS: Asked = {
  capability: "code-actions",
  method: "textDocument/codeAction",
  said: "codeActionProvider",
};
const AT_MOST = 50;

export const codeActionsTool = defineLspTool({
  name: "code-actions",
  aliases: ["lsp.code_action", "lsp/code_action"],
  description:
    "What the language server can do at a place of a file, or to the whole file: fixes of problems, organizing imports, refactorings. With `apply` it is done: the title of one of them, or its number in the list, counted from 1.",
  writes: true,
  input: z.strictObject({
    ...PLACE_ARGUMENTS,
    end_line: z.number().int().min(1).optional(),
    kind: z.string().min(1).max(200).optional().describe("e.g. quickfix, refactor, source.organizeImports"),
    apply: z.union([z.number().int().min(1), z.string().min(1).max(1000)]).optional(),
  }),
  async run(args, call) {
    if (args.apply !== undefined && call.readOnly)
      throw lspFailure("LSP_EDIT_REFUSED", "it would change the sandbox, which can only be read now");
    return await onFile(call, args.path, ACTIONS, "code-actions", async (session, document) => {
      const { client } = session;
      const range = rangeOf(document, args, session);
      const { items } = await diagnosticsOf(client, document, {
        settleMs: call.runtime.settleMs,
        deadlineMs: client.server.diagnosticsTimeoutMs,
        signal: call.signal,
      });
      const answer = await client.ask<(CodeAction | Command)[] | null>(
        ACTIONS.method,
        {
          textDocument: { uri: document.uri },
          range,
          context: {
            diagnostics: items.filter((item) => touches(item, range)),
            triggerKind: 1,
            ...(args.kind === undefined ? {} : { only: [args.kind] }),
          },
        },
        asking(session, call),
      );
      const actions = (answer ?? []).filter(
        (action) => !("disabled" in action && action.disabled !== undefined),
      );
      if (args.apply === undefined) return listed(actions);
      return await apply(session, call, chosen(actions, args.apply));
    });
  },
});

function rangeOf(
  document: OpenDocument,
  args: { readonly line?: number | undefined; readonly end_line?: number | undefined } & Parameters<
    typeof placeIn
  >[1],
  { client }: LspSession,
): Range {
  const { lines } = document;
  const { line, character, symbol, end_line: endLine = line } = args;
  const exact = character !== undefined || symbol !== undefined;
  const [first, last] = [line ?? 1, endLine ?? lines.count];
  const start = exact ? placeIn(document, args) : { line: first, character: 1 };
  const end =
    exact && args.end_line === undefined
      ? start
      : { line: last, character: Array.from(lines.line(last - 1)).length + 1 };
  return {
    start: lines.toPosition(start, client.encoding),
    end: lines.toPosition(end, client.encoding),
  };
}

const touches = ({ range }: Diagnostic, { start, end }: Range): boolean =>
  range.start.line <= end.line && range.end.line >= start.line;

function listed(actions: readonly (CodeAction | Command)[]): ToolResult {
  const shown: JsonObject[] = actions.slice(0, AT_MOST).map((action, index) => ({
    number: index + 1,
    title: action.title,
    ...("kind" in action && action.kind !== undefined ? { kind: action.kind } : {}),
    ...("isPreferred" in action && action.isPreferred === true ? { preferred: true } : {}),
  }));
  return {
    value: { actions: shown, total: actions.length, ...cut(actions.length, AT_MOST) },
    summary:
      actions.length === 0
        ? "there is nothing that the server could do"
        : counted(actions.length, "code action"),
  };
}

function chosen(actions: readonly (CodeAction | Command)[], wanted: number | string): CodeAction | Command {
  const found =
    typeof wanted === "number" ? actions[wanted - 1] : actions.find(({ title }) => title === wanted);
  if (found !== undefined) return found;
  const titles = actions.slice(0, 10).map(({ title }, index) => `${index + 1}. ${title}`);
  throw lspFailure(
    "INVALID_ARGUMENTS",
    `apply: there is no such code action; ${titles.length === 0 ? "there are none" : `there are: ${titles.join("; ")}`}`,
  );
}

/** Some carry their edit, some give it when they are asked for it, and some have a command that asks us to make it. */
async function apply(session: LspSession, call: LspCall, action: CodeAction | Command): Promise<ToolResult> {
  const { client, documents } = session;
  const isCommand = typeof action.command === "string";
  let resolved = action as CodeAction; // a command alone is treated below
  const provider = client.capabilities.codeActionProvider;
  if (
    !isCommand &&
    resolved.edit === undefined &&
    typeof provider === "object" &&
    provider.resolveProvider === true
  )
    resolved = await client.ask<CodeAction>("codeAction/resolve", action, asking(session, call));
  const command = isCommand ? (action as Command) : resolved.command;
  const edits: WorkspaceEdit[] = !isCommand && resolved.edit !== undefined ? [resolved.edit] : [];
  if (command !== undefined) {
    const { command: name, arguments: given } = command;
    const params = { command: name, ...(given === undefined ? {} : { arguments: given }) };
    edits.push(...(await client.command(params, asking(session, call))));
  }
  if (edits.length === 0)
    throw lspFailure("LSP_NOTHING_TO_DO", `${JSON.stringify(action.title)} changes no files`);
  const { paths, encoding } = client;
  const { sandbox } = call;
  const written = [];
  for (const edit of edits) {
    // The second edit of an action speaks of the texts that the first one has left.
    const version = edit === edits[0] ? (file: string) => documents.version(file) : () => undefined;
    written.push(
      ...(await writeEdited(sandbox, await editedFiles(edit, { sandbox, paths, encoding, version }))),
    );
  }
  return {
    value: { applied: action.title, files: written, total: written.length },
    summary: `${action.title}: ${counted(written.length, "file")} changed`,
  };
}
