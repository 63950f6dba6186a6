import type { TextEdit } from "vscode-languageserver-protocol/node";
import { z } from "zod";
import { PathArgument } from "./arguments.ts";
import { type Asked, asking, defineLspTool, onFile } from "./lsp-tool.ts";
import { applied } from "./rename.ts";

const FORMAT: Asked = {
  capability: "format",
  method: "textDocument/formatting",
  said: "documentFormattingProvider",
};

export const formatTool = defineLspTool({
  name: "format",
  aliases: [],
  description: "Formats a file as its language server does it.",
  writes: true,
  input: z.strictObject({
    path: PathArgument,
    tab_size: z.number().int().min(1).max(16).default(2),
    insert_spaces: z.boolean().default(true),
  }),
  async run({ path, tab_size: tabSize, insert_spaces: insertSpaces }, call) {
    return await onFile(call, path, FORMAT, "format", async (session, document) => {
      const edits = await session.client.ask<TextEdit[] | null>(
        FORMAT.method,
        { textDocument: { uri: document.uri }, options: { tabSize, insertSpaces } },
        asking(session, call),
      );
      return await applied(
        session,
        call,
        { changes: { [document.uri]: edits ?? [] } },
        `formatted ${document.file}`,
      );
    });
  },
});
