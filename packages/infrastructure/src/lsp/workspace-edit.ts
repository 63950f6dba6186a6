import { type Sandbox, ToolError } from "@cleveragents/application";
import type { TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol/node";
import { confine } from "../tools/confine.ts";
import { readContent } from "../tools/file-content.ts";
import type { ServerPaths } from "./file-uri.ts";
import { lspFailure } from "./lsp-failure.ts";
import { type Encoding, TextLines } from "./positions.ts";

const LARGEST = 8 * 1024 * 1024;
/** A server that wants to change more is not understood by anybody who looks at it. */
const FILES = 2000;

/** What the project's files become: their new text, or undefined for those that go. In the order in which they were named. */
export type EditedFiles = ReadonlyMap<string, string | undefined>;

export interface EditContext {
  readonly sandbox: Pick<Sandbox, "root" | "projectRoot">;
  readonly paths: ServerPaths;
  readonly encoding: Encoding;
  /** Of the text that the server was told of a file; undefined for one that it reads from the disk. */
  version(file: string): number | undefined;
}

/**
 * Works out what an edit makes of the files, and writes nothing. All of it is understood or none: throws `ToolError`
 * LSP_EDIT_REFUSED for places outside of the project and edits that contradict each other, LSP_EDIT_STALE for a text that
 * is no longer there, and what the files themselves say.
 */
export async function editedFiles(edit: WorkspaceEdit, context: EditContext): Promise<EditedFiles> {
  const draft = new Draft(context);
  if (edit.documentChanges !== undefined) {
    for (const change of edit.documentChanges) {
      if (!("kind" in change)) {
        const { uri, version } = change.textDocument;
        const edits = change.edits.map((one) =>
          "snippet" in one ? { range: one.range, newText: one.snippet.value } : one,
        );
        await draft.change(uri, edits, version);
      } else if (change.kind === "create") await draft.create(change.uri, change.options);
      else if (change.kind === "rename") await draft.rename(change.oldUri, change.newUri, change.options);
      else await draft.remove(change.uri, change.options?.ignoreIfNotExists === true);
    }
  } else {
    for (const [uri, edits] of Object.entries(edit.changes ?? {})) await draft.change(uri, edits, null);
  }
  return draft.files;
}

/** A text after edits that all speak of the text before. Throws LSP_EDIT_REFUSED where two of them overlap. */
export function withEdits(
  text: string,
  edits: readonly TextEdit[],
  encoding: Encoding,
  file: string,
): string {
  const lines = new TextLines(text);
  const placed = edits
    .map(({ range, newText }, order) => ({
      from: lines.offsetAt(range.start, encoding),
      to: lines.offsetAt(range.end, encoding),
      newText,
      order,
    }))
    .sort((a, b) => a.from - b.from || a.to - b.to || a.order - b.order);
  let result = "";
  let at = 0;
  for (const { from, to, newText } of placed) {
    if (from < at || to < from) throw lspFailure("LSP_EDIT_REFUSED", `the edits of ${file} overlap`);
    result += text.slice(at, from) + newText;
    at = to;
  }
  return result + text.slice(at);
}

interface CreateOptions {
  readonly overwrite?: boolean;
  readonly ignoreIfExists?: boolean;
}

/** The files as they will be, loaded when an edit speaks of them. */
class Draft {
  readonly files = new Map<string, string | undefined>();
  readonly #context: EditContext;

  constructor(context: EditContext) {
    this.#context = context;
  }

  async change(uri: string, edits: readonly TextEdit[], version: number | null): Promise<void> {
    const file = await this.#fileOf(uri);
    const known = this.#context.version(file);
    if (version !== null && known !== undefined && version !== known)
      throw lspFailure(
        "LSP_EDIT_STALE",
        `the edit is of another text of ${file} than the present one; ask again`,
      );
    const text = await this.#textOf(file);
    if (text === undefined) throw lspFailure("LSP_EDIT_REFUSED", `an edit of ${file}, which is not there`);
    this.#put(file, withEdits(text, edits, this.#context.encoding, file));
  }

  async create(uri: string, { overwrite, ignoreIfExists }: CreateOptions = {}): Promise<void> {
    const file = await this.#fileOf(uri);
    const there = await this.#textOf(file);
    if (there !== undefined && overwrite !== true) {
      if (ignoreIfExists === true) return;
      throw lspFailure("LSP_EDIT_REFUSED", `${file} would be created, and is there already`);
    }
    this.#put(file, "");
  }

  async rename(
    oldUri: string,
    newUri: string,
    { overwrite, ignoreIfExists }: CreateOptions = {},
  ): Promise<void> {
    const [from, to] = [await this.#fileOf(oldUri), await this.#fileOf(newUri)];
    const text = await this.#textOf(from);
    if (text === undefined)
      throw lspFailure("LSP_EDIT_REFUSED", `${from} would be renamed, and is not there`);
    if ((await this.#textOf(to)) !== undefined && overwrite !== true) {
      if (ignoreIfExists === true) return;
      throw lspFailure("LSP_EDIT_REFUSED", `${from} would be renamed to ${to}, which is there already`);
    }
    this.#put(from, undefined);
    this.#put(to, text);
  }

  async remove(uri: string, ignoreIfNotExists: boolean): Promise<void> {
    const file = await this.#fileOf(uri);
    if ((await this.#textOf(file)) === undefined) {
      if (ignoreIfNotExists) return;
      throw lspFailure("LSP_EDIT_REFUSED", `${file} would be deleted, and is not there`);
    }
    this.#put(file, undefined);
  }

  /** Within the project, whatever links lie on the way. */
  async #fileOf(uri: string): Promise<string> {
    const relative = this.#context.paths.toRelative(uri);
    if (relative === undefined || relative === "")
      throw lspFailure(
        "LSP_EDIT_REFUSED",
        "the language server would change a file outside of the project; nothing was changed",
      );
    return (await confine(this.#context.sandbox, relative, "write")).relative;
  }

  async #textOf(file: string): Promise<string | undefined> {
    if (this.files.has(file)) return this.files.get(file);
    try {
      const { text } = await readContent(await confine(this.#context.sandbox, file, "read"), LARGEST);
      if (text === undefined) throw lspFailure("LSP_EDIT_REFUSED", `${file} is not a text file`);
      return text;
    } catch (error) {
      if (error instanceof ToolError && error.reason === "FILE_NOT_FOUND") return undefined;
      throw error;
    }
  }

  #put(file: string, text: string | undefined): void {
    this.files.set(file, text);
    if (this.files.size > FILES)
      throw lspFailure("LSP_EDIT_REFUSED", `the edit changes more than ${FILES} files`);
  }
}
