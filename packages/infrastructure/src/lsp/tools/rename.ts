import type { ToolResult } from "@cleveragents/application";
import type {
  Location,
  LocationLink,
  PrepareRenameResult,
  WorkspaceEdit,
} from "vscode-languageserver-protocol/node";
import { z } from "zod";
import type { LspSession } from "../language-server.ts";
import { lspFailure } from "../lsp-failure.ts";
import type { OpenDocument } from "../open-documents.ts";
import type { Place } from "../positions.ts";
import { editedFiles } from "../workspace-edit.ts";
import { writeEdited } from "../write-edited.ts";
import { PLACE_ARGUMENTS, placeIn } from "./arguments.ts";
import { DEFINITION, listed } from "./locate.ts";
import { counted } from "./locations.ts";
import { type Asked, asking, defineLspTool, type LspCall, onFile } from "./lsp-tool.ts";

const RENAME: Asked = { capability: "rename", method: "textDocument/rename", said: "renameProvider" };

export const renameTool = defineLspTool({
  name: "rename",
  aliases: ["lsp.rename"],
  description:
    "Renames what stands at a place of a file, in all files of the project that use it. What was changed is named.",
  writes: true,
  input: z.strictObject({ ...PLACE_ARGUMENTS, new_name: z.string().min(1).max(500) }),
  async run(args, call) {
    return await onFile(call, args.path, RENAME, "rename", async (session, document) => {
      const { file, place } = await declaration(session, call, document, placeIn(document, args));
      const { client } = session;
      const position = file.lines.toPosition(place, client.encoding);
      const textDocument = { uri: file.uri };
      await assertRenamable(session, call, { textDocument, position });
      const edit = await client.ask<WorkspaceEdit | null>(
        RENAME.method,
        { textDocument, position, newName: args.new_name },
        asking(session, call),
      );
      if (edit === null)
        throw lspFailure("LSP_NOTHING_TO_DO", "there is nothing at that place that can be renamed");
      return await applied(session, call, edit, `renamed to ${args.new_name}`);
    });
  },
});

/**
 * Where it is declared, if that is in the project and the same name: at the place where it is imported, some servers
 * rename it for this one file only.
 */
async function declaration(
  session: LspSession,
  call: LspCall,
  document: OpenDocument,
  place: Place,
): Promise<{ readonly file: OpenDocument; readonly place: Place }> {
  const here = { file: document, place };
  const { client, documents } = session;
  if (!client.serves(DEFINITION.method, DEFINITION.said)) return here;
  const found = listed(
    await client.ask<Location | (Location | LocationLink)[] | null>(
      DEFINITION.method,
      { textDocument: { uri: document.uri }, position: document.lines.toPosition(place, client.encoding) },
      asking(session, call),
    ),
  );
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return here;
  const [uri, range] =
    "targetUri" in only ? [only.targetUri, only.targetSelectionRange] : [only.uri, only.range];
  const path = client.paths.toRelative(uri);
  if (path === undefined) return here;
  const file = await documents.open(path);
  const at = file.lines.fromPosition(range.start, client.encoding);
  return wordAt(file, at) === wordAt(document, place) ? { file, place: at } : here;
}

function wordAt({ lines }: OpenDocument, { line, character }: Place): string {
  const points = Array.from(lines.line(line - 1));
  const isWord = (point: string | undefined) => point !== undefined && /[\p{L}\p{N}_$]/u.test(point);
  let from = character - 1;
  let to = from;
  while (isWord(points[from - 1])) from -= 1;
  while (isWord(points[to])) to += 1;
  return points.slice(from, to).join("");
}

async function assertRenamable(
  session: LspSession,
  call: LspCall,
  at: Record<string, unknown>,
): Promise<void> {
  const { client } = session;
  const provider = client.capabilities.renameProvider;
  if (typeof provider !== "object" || provider.prepareProvider !== true) return;
  const answer = await client.ask<PrepareRenameResult | null>(
    "textDocument/prepareRename",
    at,
    asking(session, call),
  );
  if (answer === null)
    throw lspFailure("LSP_NOTHING_TO_DO", "there is nothing at that place that can be renamed");
}

/** Writes an edit of a server's, and says what has become of the files. */
export async function applied(
  { client, documents }: LspSession,
  call: LspCall,
  edit: WorkspaceEdit,
  what: string,
): Promise<ToolResult> {
  const { paths, encoding } = client;
  const { sandbox } = call;
  const files = await editedFiles(edit, {
    sandbox,
    paths,
    encoding,
    version: (file) => documents.version(file),
  });
  const written = await writeEdited(sandbox, files);
  return {
    value: { files: [...written], total: written.length },
    summary:
      written.length === 0
        ? `${what}: nothing had to change`
        : `${what}: ${counted(written.length, "file")} changed`,
  };
}
