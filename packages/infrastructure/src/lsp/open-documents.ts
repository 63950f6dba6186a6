import { type Sandbox, ToolError } from "@cleveragents/application";
import { servedAs } from "@cleveragents/domain";
import type { TextDocumentSyncOptions } from "vscode-languageserver-protocol/node";
import { confine } from "../tools/confine.ts";
import { readContent } from "../tools/file-content.ts";
import { refuse } from "../tools/file-failure.ts";
import type { LanguageClient } from "./language-client.ts";
import { lspFailure } from "./lsp-failure.ts";
import { TextLines } from "./positions.ts";
import { changedBetween, type FileStamps, stampsOf } from "./project-walk.ts";
import type { TextState } from "./published-diagnostics.ts";

/** Of more, the one that was asked about longest ago is closed. */
const OPEN_AT_MOST = 64;
const LARGEST = 8 * 1024 * 1024;
/** What language servers read besides the files of their languages. */
const CONFIGURATION =
  /(?:^|\/)(?:[^/]*\.(?:json|jsonc|toml|cfg|ini|ya?ml|lock|mod|sum|gradle|xml|properties|cmake)|\.[a-z]+rc|CMakeLists\.txt|setup\.py)$/i;

export interface OpenDocument extends TextState {
  /** Relative to the project. */
  readonly file: string;
  readonly uri: string;
  readonly lines: TextLines;
}

/**
 * What a server knows of the files: those that it was asked about are open, with the text that lies in the plan's copy;
 * of all others it is told when they change. Both are caught up with before each question, whoever made the changes.
 */
export class OpenDocuments {
  readonly #client: LanguageClient;
  readonly #sandbox: Pick<Sandbox, "root" | "projectRoot">;
  readonly #open = new Map<string, OpenDocument>();
  #stamps: FileStamps | undefined;
  #line: Promise<void> = Promise.resolve();

  constructor(client: LanguageClient, sandbox: Pick<Sandbox, "root" | "projectRoot">) {
    this.#client = client;
    this.#sandbox = sandbox;
  }

  /** The files that are open, for whoever comes after a server that has crashed. */
  get files(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** To be called before anything is open: what changes from now on is told. */
  async begin(): Promise<void> {
    this.#stamps = await this.#look();
  }

  /** Catches up with the copy and opens a file, one after the other for all who ask at the same time. */
  async prepare(file: string): Promise<OpenDocument> {
    const prepared = this.#line.then(async () => {
      await this.catchUp();
      return await this.open(file);
    });
    this.#line = prepared.then(
      () => undefined,
      () => undefined,
    );
    return await prepared;
  }

  /** Tells the server what has changed since it was last told, and answers whether anything has. */
  async catchUp(): Promise<boolean> {
    const before = this.#stamps ?? new Map();
    this.#stamps = await this.#look();
    const changed = changedBetween(before, this.#stamps);
    for (const { file, type } of changed) {
      if (!this.#open.has(file)) continue;
      if (type === 3) await this.#close(file);
      else await this.open(file).catch((error: unknown) => this.#lost(file, error));
    }
    const { paths, registrations } = this.#client;
    const folder = this.#client.folder === "" ? "" : `${this.#client.folder}/`;
    const told = changed.filter(({ file, type }) =>
      registrations.wants(paths.seen(file), file.startsWith(folder) ? file.slice(folder.length) : file, type),
    );
    if (told.length > 0)
      await this.#client.tell("workspace/didChangeWatchedFiles", {
        changes: told.map(({ file, type }) => ({ uri: paths.toUri(file), type })),
      });
    // What it said of one file may follow from another one: each is put to it anew.
    if (changed.length > 0)
      for (const { file } of [...this.#open.values()])
        if (!changed.some((other) => other.file === file)) await this.#change(file, undefined);
    return changed.length > 0;
  }

  /** The file as it lies in the copy, open at the server. Throws `ToolError` for what cannot be read. */
  async open(given: string): Promise<OpenDocument> {
    const place = await confine(this.#sandbox, given, "read");
    const file = place.relative;
    const { text } = await readContent(place, LARGEST);
    if (text === undefined) throw refuse("BINARY_FILE", file, "is not a text file");
    const there = this.#open.get(file);
    if (there !== undefined) {
      this.#open.delete(file);
      this.#open.set(file, there); // asked about last
      return there.lines.text === text ? there : await this.#change(file, text);
    }
    if (servedAs(this.#client.server, file) === undefined)
      throw lspFailure(
        "LSP_NO_SERVER",
        `the language server ${this.#client.server.name} does not serve ${file}`,
      );
    for (const oldest of [...this.#open.keys()].slice(0, Math.max(0, this.#open.size - OPEN_AT_MOST + 1)))
      await this.#close(oldest);
    const uri = this.#client.paths.toUri(file);
    const opened = { file, uri, lines: new TextLines(text), version: 1, since: performance.now() };
    return await this.#tellOpened(opened);
  }

  async #tellOpened(opened: OpenDocument): Promise<OpenDocument> {
    const { file, uri, version, lines } = opened;
    this.#open.set(file, opened);
    const languageId = servedAs(this.#client.server, file);
    await this.#client.tell("textDocument/didOpen", {
      textDocument: { uri, languageId, version, text: lines.text },
    });
    return opened;
  }

  version(file: string): number | undefined {
    return this.#open.get(file)?.version;
  }

  /** The whole text, anew; the same one where none is given, so that the server says again what it thinks of it. */
  async #change(file: string, text: string | undefined): Promise<OpenDocument> {
    const there = this.#open.get(file) as OpenDocument; // whoever calls has seen it
    const lines = text === undefined ? there.lines : new TextLines(text);
    if (this.#client.published.mayStaySilent(file)) return await this.#reopen(there, lines);
    const changed: OpenDocument = { ...there, version: there.version + 1, since: performance.now(), lines };
    this.#open.set(file, changed);
    await this.#client.tell("textDocument/didChange", {
      textDocument: { uri: there.uri, version: changed.version },
      contentChanges: [{ text: changed.lines.text }],
    });
    const save = this.#sync().save;
    if (text !== undefined && save !== undefined && save !== false)
      await this.#client.tell("textDocument/didSave", {
        textDocument: { uri: there.uri },
        ...(save !== true && save.includeText === true ? { text: changed.lines.text } : {}),
      });
    return changed;
  }

  /** A server that has forgotten what it said of a file says it again. */
  async #reopen(there: OpenDocument, lines: TextLines): Promise<OpenDocument> {
    const { file, uri } = there;
    await this.#close(file);
    // When it is closed, some say that nothing is wrong with it.
    await this.#client.caughtUp(new AbortController().signal);
    this.#client.published.forget(file);
    return await this.#tellOpened({ file, uri, lines, version: there.version + 1, since: performance.now() });
  }

  async #close(file: string): Promise<void> {
    const there = this.#open.get(file);
    this.#open.delete(file);
    this.#client.published.forget(file);
    if (there !== undefined)
      await this.#client.tell("textDocument/didClose", { textDocument: { uri: there.uri } });
  }

  /** It can no longer be read as text, so that the server's own view of it is the better one. */
  async #lost(file: string, error: unknown): Promise<void> {
    if (!(error instanceof ToolError) || error.reason.startsWith("LSP_")) throw error;
    await this.#close(file);
  }

  #sync(): TextDocumentSyncOptions {
    const { textDocumentSync } = this.#client.capabilities;
    return typeof textDocumentSync === "object" ? textDocumentSync : {};
  }

  async #look(): Promise<FileStamps> {
    const { server } = this.#client;
    return await stampsOf(
      this.#sandbox.root,
      (file) => servedAs(server, file) !== undefined || CONFIGURATION.test(file),
    );
  }
}
