import { type CodeContext, type CodeContextRequest, ToolError } from "@cleveragents/application";
import { type JsonObject, servedAs } from "@cleveragents/domain";
import type { Hover } from "vscode-languageserver-protocol/node";
import type { LspRuntime } from "./lsp-runtime.ts";
import { findingsOf } from "./tools/diagnostics.ts";
import { firstLine, HOVER, textOf } from "./tools/hover.ts";
import { type LspCall, onFile } from "./tools/lsp-tool.ts";
import { SYMBOLS, symbolsOf } from "./tools/symbols.ts";

/** Declarations of a file of which the types are asked; each is a question of its own. */
const TYPES = 30;
const PROBLEMS = 20;

type Line = { readonly file: string; readonly text: string; readonly json: JsonObject };

/**
 * Problems first, of all files, then types, file by file, until the budget is used up: what is most urgent is there
 * however little there is room for. Throws `ToolError` CANCELLED and nothing else.
 */
export async function codeContext(
  runtime: LspRuntime,
  request: CodeContextRequest,
  servers: LspCall["servers"],
): Promise<CodeContext> {
  const call: LspCall = { ...request, runtime, servers, readOnly: true };
  const served = [...new Set(request.files)].filter((file) =>
    servers.some((one) => servedAs(one, file) !== undefined),
  );
  const problems: Line[] = [];
  const types: Line[] = [];
  const failures: JsonObject[] = [];
  for (const file of served) {
    const found = await findingsOf(call, file, false);
    if (found.failure !== undefined) {
      failures.push({ path: file, message: found.failure });
      continue;
    }
    if (found.stale)
      problems.push({ file, text: `${file}: not judged yet`, json: { path: file, stale: true } });
    const worst = found.items.filter(({ severity }) => severity === "error" || severity === "warning");
    for (const item of worst.slice(0, PROBLEMS))
      problems.push({
        file,
        text: `${file}:${item["line"]}:${item["character"]} ${item.severity}: ${String(item["message"]).split("\n")[0]}`,
        json: { path: file, diagnostic: item },
      });
    types.push(...(await typesOf(call, file)));
  }
  return within(request.maxCharacters, problems, types, failures);
}

async function typesOf(call: LspCall, file: string): Promise<Line[]> {
  try {
    return await onFile(call, file, SYMBOLS, "symbols", async (session, document) => {
      const { client } = session;
      const declared = (await symbolsOf(session, call, document))
        .filter(({ depth }) => depth === 0)
        .slice(0, TYPES);
      const lines: Line[] = [];
      for (const { shown, at } of declared) {
        const hover = client.serves(HOVER.method, HOVER.said)
          ? await client.ask<Hover | null>(
              HOVER.method,
              { textDocument: { uri: document.uri }, position: at },
              { timeoutMs: client.server.requestTimeoutMs, signal: call.signal },
            )
          : null;
        const said = hover === null ? "" : firstLine(client.paths.clean(textOf(hover.contents)));
        const type = said === "" ? String(shown["detail"] ?? `${shown["kind"]} ${shown["name"]}`) : said;
        lines.push({
          file,
          text: `${file}:${shown["line"]} ${type}`,
          json: {
            path: file,
            symbol: { name: shown["name"] ?? "", kind: shown["kind"] ?? "", line: shown["line"] ?? 0, type },
          },
        });
      }
      return lines;
    });
  } catch (error) {
    if (!(error instanceof ToolError) || error.reason === "CANCELLED") throw error;
    return [];
  }
}

function within(
  budget: number,
  problems: readonly Line[],
  types: readonly Line[],
  failures: readonly JsonObject[],
): CodeContext {
  const text: string[] = [];
  const entries: JsonObject[] = [];
  let left = budget;
  let truncated = false;
  const add = (heading: string, lines: readonly Line[]): void => {
    let begun = false;
    for (const line of lines) {
      const cost = line.text.length + 1 + (begun ? 0 : heading.length + 1);
      if (cost > left) {
        truncated = true;
        continue;
      }
      if (!begun) text.push(heading);
      begun = true;
      left -= cost;
      text.push(line.text);
      entries.push(line.json);
    }
  };
  add("Problems:", problems);
  add("Declared:", types);
  return {
    text: text.join("\n"),
    data: {
      type: "code_context",
      entries,
      ...(truncated ? { truncated } : {}),
      ...(failures.length === 0 ? {} : { failures: [...failures] }),
    },
  };
}
