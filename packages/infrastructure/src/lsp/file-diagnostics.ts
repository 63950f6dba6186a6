import { ToolError } from "@cleveragents/application";
import type { Diagnostic, DocumentDiagnosticReport } from "vscode-languageserver-protocol/node";
import type { LanguageClient } from "./language-client.ts";
import type { OpenDocument } from "./open-documents.ts";
import type { Freshness, Patience } from "./published-diagnostics.ts";

const METHOD = "textDocument/diagnostic";
/** Many answer it, cheaply. */
const QUESTION = "textDocument/documentSymbol";

/**
 * What a server says of a file's present text. It is asked where it can be (said at the start, or registered since),
 * else what it publishes is waited for. When time is over, what is known is given as stale: it is never taken for "no
 * problems". Throws `ToolError` where the server is gone.
 */
export async function diagnosticsOf(
  client: LanguageClient,
  document: OpenDocument,
  patience: Patience,
): Promise<Freshness> {
  const { file, uri } = document;
  const deadline = performance.now() + patience.deadlineMs;
  if (!client.serves(METHOD, "diagnosticProvider")) {
    const published = await publishedOrRegistered(client, document, patience);
    if (published !== undefined) return published;
  }
  try {
    const deadlineMs = Math.max(1, deadline - performance.now());
    const pulled = await pull(client, uri, { ...patience, deadlineMs });
    // Some answer what is quick, and publish later what takes longer.
    const pushed = client.published.now(file, document);
    return { items: pushed.stale ? pulled : merged(pulled, pushed.items), stale: false };
  } catch (error) {
    if (!(error instanceof ToolError) || error.reason === "LSP_CRASHED" || error.reason === "CANCELLED")
      throw error;
    if (error.reason === "LSP_TIMEOUT") return client.published.now(file, document);
    return await client.published.fresh(file, document, patience);
  }
}

/** What is published; undefined if meanwhile the server says that it wants to be asked instead, which some do late. */
async function publishedOrRegistered(
  client: LanguageClient,
  document: OpenDocument,
  patience: Patience,
): Promise<Freshness | undefined> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, patience.signal]);
  try {
    return await Promise.race([
      client.published.fresh(document.file, document, {
        ...patience,
        signal,
        answered: () => answered(client, document, { ...patience, signal }),
      }),
      client.registrations.added(METHOD, signal).then(() => undefined),
    ]);
  } finally {
    over.abort();
  }
}

/** Servers take one thing after the other: what has begun before a question is over when that is answered. */
async function answered(
  client: LanguageClient,
  { uri }: OpenDocument,
  { deadlineMs: timeoutMs, signal }: Patience,
): Promise<void> {
  if (!client.serves(QUESTION, "documentSymbolProvider")) return;
  await client.ask(QUESTION, { textDocument: { uri } }, { timeoutMs, signal }).catch(() => undefined);
}

async function pull(
  client: LanguageClient,
  uri: string,
  { deadlineMs, signal }: Patience,
): Promise<readonly Diagnostic[]> {
  const said =
    client.capabilities.diagnosticProvider ?? client.registrations.optionsOf<{ identifier?: string }>(METHOD);
  const report = await client.ask<DocumentDiagnosticReport | null>(
    METHOD,
    {
      textDocument: { uri },
      ...(said?.identifier === undefined ? {} : { identifier: said.identifier }),
    },
    { timeoutMs: deadlineMs, signal },
  );
  // Without an earlier result's id nothing can be unchanged.
  return report?.kind === "full" ? report.items : [];
}

function merged(pulled: readonly Diagnostic[], pushed: readonly Diagnostic[]): readonly Diagnostic[] {
  const keyOf = ({ range, message }: Diagnostic) => JSON.stringify([range.start, message]);
  const known = new Set(pulled.map(keyOf));
  return [...pulled, ...pushed.filter((item) => !known.has(keyOf(item)))];
}
