import { createHash } from "node:crypto";
import type { McpListing, McpTool } from "@cleveragents/domain";
import type { z } from "zod";
import type { LoosePage } from "./loose-schemas.ts";

const MOST_PAGES = 64;
const MOST_TOOLS = 2000;

export type ListedTools = Pick<McpListing, "tools" | "refused" | "warnings" | "hash">;

/**
 * Walks the pages of a server's tools. A page that fails, a cursor that comes again and more pages than anybody needs
 * end it with a warning; what was listed before counts. Only a first page that fails is thrown.
 */
export async function listTools(
  page: (cursor: string | undefined) => Promise<z.output<typeof LoosePage>>,
): Promise<ListedTools> {
  const { judgeTool } = await import("./judge-tool.ts");
  const tools = new Map<string, McpTool>();
  const refused: McpListing["refused"] = [];
  const warnings: string[] = [];
  const followed = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; ; pages += 1) {
    if (pages === MOST_PAGES || tools.size >= MOST_TOOLS) {
      warnings.push(`it lists without end; the list was cut after ${pages} pages and ${tools.size} tools`);
      break;
    }
    const got = await pageOrWarning(page, cursor, pages, warnings);
    if (got === undefined) break;
    for (const listed of got.tools) {
      const judged = judgeTool(listed);
      if ("refused" in judged) refused.push(judged.refused);
      else if (!tools.has(judged.tool.name)) tools.set(judged.tool.name, judged.tool);
    }
    const next = got.nextCursor;
    // By presence: an empty text is a cursor too.
    if (next === undefined || next === null) break;
    if (followed.has(next)) {
      if (next !== "") warnings.push("its pages lead back to one that was read already");
      break;
    }
    followed.add(next);
    cursor = next;
  }
  const found = [...tools.values()].slice(0, MOST_TOOLS);
  return { tools: found, refused, warnings, hash: hashOf(found) };
}

async function pageOrWarning(
  page: Parameters<typeof listTools>[0],
  cursor: string | undefined,
  number: number,
  warnings: string[],
): Promise<z.output<typeof LoosePage> | undefined> {
  try {
    return await page(cursor);
  } catch (error) {
    if (number === 0) throw error;
    warnings.push(`page ${number + 1} of its tools could not be read: ${(error as Error).message}`);
    return undefined;
  }
}

function hashOf(tools: readonly McpTool[]): string {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}
