import { type JsonObject, type LspServer, languageIds, serverFor } from "@cleveragents/domain";
import type { DocumentSymbol, SymbolInformation, WorkspaceSymbol } from "vscode-languageserver-protocol/node";
import { z } from "zod";
import type { LspSession } from "../language-server.ts";
import { lspFailure } from "../lsp-failure.ts";
import type { OpenDocument } from "../open-documents.ts";
import { walkFiles } from "../project-walk.ts";
import { PathArgument } from "./arguments.ts";
import { counted, cut, ProjectTexts, rangeIn } from "./locations.ts";
import { type Asked, asking, assertServed, defineLspTool, type LspCall, onFile } from "./lsp-tool.ts";

export const SYMBOLS: Asked = {
  capability: "symbols",
  method: "textDocument/documentSymbol",
  said: "documentSymbolProvider",
};
const WORKSPACE: Asked = {
  capability: "workspace-symbols",
  method: "workspace/symbol",
  said: "workspaceSymbolProvider",
};
const AT_MOST = 300;
const KINDS = [
  ..."file module namespace package class method property field constructor enum interface function".split(
    " ",
  ),
  ..."variable constant string number boolean array object key null enum-member struct event operator".split(
    " ",
  ),
  "type-parameter",
];

export const symbolsTool = defineLspTool({
  name: "symbols",
  aliases: ["lsp/document_symbols"],
  description:
    "What a file declares: classes, functions, variables …, with their places, and what they lie in.",
  input: z.strictObject({ path: PathArgument }),
  async run({ path }, call) {
    return await onFile(call, path, SYMBOLS, "symbols", async (session, document) => {
      const all = await symbolsOf(session, call, document);
      const symbols = all.slice(0, AT_MOST).map((one) => one.shown);
      return {
        value: { path: document.file, symbols, total: all.length, ...cut(all.length, AT_MOST) },
        summary: `${counted(all.length, "symbol")} in ${document.file}`,
      };
    });
  },
});

export const workspaceSymbolsTool = defineLspTool({
  name: "workspace-symbols",
  aliases: ["lsp/workspace_symbols"],
  description: "Where something is declared in the project, by its name or a part of it.",
  input: z.strictObject({
    query: z.string().min(1).max(200),
    language: z.string().min(1).optional().describe("only of this language"),
  }),
  async run({ query, language }, call) {
    const chosen = call.servers.filter(
      ({ languages }) => language === undefined || languageIds(language).some((id) => languages.includes(id)),
    );
    const texts = new ProjectTexts(call.sandbox);
    const found: JsonObject[] = [];
    let total = 0;
    for (const [server, file] of await representatives(chosen, call)) {
      await call.runtime.use(server, file, call, async (session) => {
        // Some have no project to look into as long as no file of it is open.
        await session.documents.prepare(file);
        assertServed(session, WORKSPACE);
        const symbols = await session.client.ask<(SymbolInformation | WorkspaceSymbol)[] | null>(
          WORKSPACE.method,
          { query },
          asking(session, call),
        );
        for (const symbol of symbols ?? []) {
          total += 1;
          if (found.length < AT_MOST) found.push(await shownInProject(symbol, session, texts));
        }
      });
    }
    return {
      value: { symbols: found, total, ...cut(total, AT_MOST) },
      summary: `${counted(total, "symbol")} like ${query}`,
    };
  },
});

export interface DeclaredSymbol {
  readonly shown: JsonObject;
  readonly depth: number;
  /** Where its name stands. */
  readonly at: { readonly line: number; readonly character: number };
}

/** In the order of the file, each before what lies in it. */
export async function symbolsOf(
  session: LspSession,
  call: Pick<LspCall, "signal">,
  document: OpenDocument,
): Promise<readonly DeclaredSymbol[]> {
  const answer = await session.client.ask<(DocumentSymbol | SymbolInformation)[] | null>(
    SYMBOLS.method,
    { textDocument: { uri: document.uri } },
    { timeoutMs: session.client.server.requestTimeoutMs, signal: call.signal },
  );
  const symbols: DeclaredSymbol[] = [];
  const add = (
    symbol: DocumentSymbol | SymbolInformation,
    container: string | undefined,
    depth: number,
  ): void => {
    const [whole, name] =
      "location" in symbol
        ? [symbol.location.range, symbol.location.range]
        : [symbol.range, symbol.selectionRange];
    const within = container ?? ("containerName" in symbol ? symbol.containerName : undefined);
    const detail = "detail" in symbol && symbol.detail !== "" ? symbol.detail : undefined;
    symbols.push({
      shown: {
        name: symbol.name,
        kind: KINDS[symbol.kind - 1] ?? "symbol",
        ...rangeIn(document.lines, whole, session),
        ...(within === undefined || within === "" ? {} : { container: within }),
        ...(detail === undefined ? {} : { detail: detail.slice(0, 300) }),
      },
      depth,
      at: name.start,
    });
    if ("children" in symbol) for (const child of symbol.children ?? []) add(child, symbol.name, depth + 1);
  };
  for (const symbol of answer ?? []) add(symbol, undefined, 0);
  return symbols;
}

async function shownInProject(
  { name, kind, containerName, location }: SymbolInformation | WorkspaceSymbol,
  session: LspSession,
  texts: ProjectTexts,
): Promise<JsonObject> {
  const place = session.client.paths.shown(location.uri);
  const lines = place.outside === true ? undefined : await texts.of(place.path);
  return {
    name,
    kind: KINDS[kind - 1] ?? "symbol",
    ...place,
    ...("range" in location ? rangeIn(lines, location.range, session) : {}),
    ...(containerName === undefined || containerName === "" ? {} : { container: containerName }),
  };
}

/** A file of the project for each server that serves any. */
async function representatives(
  servers: readonly LspServer[],
  call: LspCall,
): Promise<ReadonlyMap<LspServer, string>> {
  const files = new Map<LspServer, string>();
  for await (const file of walkFiles(call.sandbox.root, "", 20_000)) {
    const server = serverFor(
      servers.filter((one) => !files.has(one)),
      file,
      "workspace-symbols",
    );
    if (server !== undefined) files.set(server, file);
    if (files.size === servers.length) break;
  }
  if (files.size === 0)
    throw lspFailure(
      "LSP_NO_SERVER",
      "no language server serves a file of the project; add one: agents lsp add --config FILE",
    );
  return files;
}
