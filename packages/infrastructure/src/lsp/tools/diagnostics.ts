import { lstat } from "node:fs/promises";
import { ToolError, type ToolResult, TrustRequiredError } from "@cleveragents/application";
import { type JsonObject, serverFor } from "@cleveragents/domain";
import type { Diagnostic } from "vscode-languageserver-protocol/node";
import { z } from "zod";
import { confine } from "../../tools/confine.ts";
import { diagnosticsOf } from "../file-diagnostics.ts";
import type { LspSession } from "../language-server.ts";
import { lspFailure } from "../lsp-failure.ts";
import type { OpenDocument } from "../open-documents.ts";
import { walkFiles } from "../project-walk.ts";
import { counted, cut, rangeIn } from "./locations.ts";
import { defineLspTool, type LspCall, onFile } from "./lsp-tool.ts";

/** Of a folder. */
const FILES = 50;
const ITEMS = 200;
const LONGEST = 1000;
const SEVERITIES = ["error", "warning", "information", "hint"] as const;
export type ShownSeverity = (typeof SEVERITIES)[number];

export const diagnosticsTool = defineLspTool({
  name: "diagnostics",
  aliases: ["lsp.diagnostics"],
  description:
    "Errors and warnings of a file, or of the files of a folder, as its language server sees the present text. `stale: true` means that the server has not judged the present text in time: ask again, and do not take it for no problems. Lines and characters are counted from 1.",
  input: z.strictObject({
    path: z.string().min(1).default(".").describe("file or folder, relative to the project"),
    severity: z.enum(SEVERITIES).default("hint").describe("the least severe that is shown"),
  }),
  async run({ path, severity }, call) {
    const least = SEVERITIES.indexOf(severity);
    const { files, more } = await filesAt(call, path);
    const found: FileFindings[] = [];
    // One after the other: the servers work on the same files, and each has one place for its work.
    for (const file of files) found.push(await findingsOf(call, file, more === undefined));
    return told(found, least, more ?? 0);
  },
});

export interface FileFindings {
  readonly path: string;
  readonly server?: string;
  readonly items: readonly (JsonObject & { readonly severity: ShownSeverity })[];
  readonly stale: boolean;
  /** Why nobody could say anything. */
  readonly failure?: string;
}

/** What the server of a file says of it. A failure is told of the file where others are asked about too, else thrown. */
export async function findingsOf(call: LspCall, path: string, alone: boolean): Promise<FileFindings> {
  try {
    return await onFile(call, path, undefined, "diagnostics", async (session, document) => {
      const { client } = session;
      const { items, stale } = await diagnosticsOf(client, document, {
        settleMs: call.runtime.settleMs,
        deadlineMs: client.server.diagnosticsTimeoutMs,
        signal: call.signal,
      });
      if (call.signal.aborted) throw lspFailure("CANCELLED", "it was cancelled");
      return {
        path: document.file,
        server: client.server.name,
        items: items.map((item) => shown(item, document, session)),
        stale,
      };
    });
  } catch (error) {
    const isTold =
      error instanceof ToolError ? error.reason !== "CANCELLED" : error instanceof TrustRequiredError;
    if (alone || !isTold) throw error;
    return { path, items: [], stale: true, failure: (error as Error).message };
  }
}

function shown(
  item: Diagnostic,
  { lines }: OpenDocument,
  session: LspSession,
): FileFindings["items"][number] {
  // Some number it otherwise than from 1 to 4.
  const severity = SEVERITIES[Math.min(4, Math.max(1, item.severity ?? 1)) - 1] as ShownSeverity;
  const message = typeof item.message === "string" ? item.message : (item.message as { value: string }).value;
  return {
    ...rangeIn(lines, item.range, session),
    severity,
    message: session.client.paths.clean(message).slice(0, LONGEST),
    ...(item.code === undefined ? {} : { code: item.code }),
    ...(item.source === undefined ? {} : { source: item.source }),
  };
}

/** Files below a folder that a server is asked about; `more` counts those that are too many, and is there for folders. */
async function filesAt(
  call: LspCall,
  path: string,
): Promise<{ readonly files: readonly string[]; readonly more?: number }> {
  const place = await confine(call.sandbox, path, "read");
  const stats = await lstat(place.absolute).catch(() => undefined);
  if (stats?.isDirectory() !== true) return { files: [place.relative] };
  const files: string[] = [];
  let more = 0;
  for await (const file of walkFiles(place.root, place.relative === "." ? "" : place.relative)) {
    if (serverFor(call.servers, file, "diagnostics") === undefined) continue;
    if (files.length < FILES) files.push(file);
    else more += 1;
  }
  if (files.length === 0)
    throw lspFailure(
      "LSP_NO_SERVER",
      `no language server serves a file in ${place.relative}; add one: agents lsp add --config FILE`,
    );
  return { files, more };
}

function told(found: readonly FileFindings[], least: number, more: number): ToolResult {
  const chosen = found.map((one) => ({
    ...one,
    items: one.items.filter(({ severity }) => SEVERITIES.indexOf(severity) <= least),
  }));
  const all = chosen.flatMap(({ items }) => items);
  const count = (severity: ShownSeverity) => all.filter((item) => item.severity === severity).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const stale = found.some((one) => one.stale);
  let left = ITEMS;
  const files = chosen
    .filter(({ items, stale: unsure }) => found.length === 1 || items.length > 0 || unsure)
    .map(({ path, server, items, stale: unsure, failure }) => {
      const diagnostics = items.slice(0, left);
      left -= diagnostics.length;
      return {
        path,
        ...(server === undefined ? {} : { server }),
        diagnostics: [...diagnostics],
        ...(unsure ? { stale: true } : {}),
        ...(failure === undefined ? {} : { failure }),
      };
    });
  const others = all.length - errors - warnings;
  const words = [
    counted(errors, "error"),
    counted(warnings, "warning"),
    ...(others > 0 ? [counted(others, "note")] : []),
  ].join(", ");
  const where = found.length === 1 ? (found[0] as FileFindings).path : counted(found.length, "file");
  return {
    value: {
      files,
      checked: found.length,
      total: all.length,
      errors,
      warnings,
      stale,
      ...cut(all.length, ITEMS),
      ...(more > 0 ? { not_checked: more } : {}),
    },
    summary: stale
      ? `${where}: not judged yet (${all.length === 0 ? "nothing is known" : `known so far: ${words}`})`
      : `${where}: ${words}`,
  };
}
