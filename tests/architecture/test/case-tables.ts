import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** A row of a table of cases: which ones, and what is said to hold them. */
export interface CaseRow {
  readonly cases: readonly string[];
  readonly holds: readonly { readonly files: string; readonly titles: readonly string[] }[];
}

/**
 * The rows of the tables whose last column is "held by". In it, what stands in backticks is a file, a folder or a pattern
 * of them, and what stands in quotes behind it the title of a test in it. "`short/` is `the/long/one/`" in the text
 * abbreviates; a name without a folder is beside the file before it.
 */
export function readCaseRows(page: string): CaseRow[] {
  const abbreviations = [...page.matchAll(/`([^`\s]+)` is\s+`([^`\s]+)`/g)].map(
    (match) => [match[1] ?? "", match[2] ?? ""] as const,
  );
  const rows: CaseRow[] = [];
  let counts = false;
  let before = "";
  for (const line of page.split("\n")) {
    if (line.startsWith("|")) {
      const cells = line.slice(1, line.lastIndexOf("|")).split("|");
      const last = cells.at(-1)?.trim() ?? "";
      if (!before.startsWith("|")) counts = last === "held by";
      else if (counts && !/^-+$/.test(last))
        rows.push({
          cases: cells[0]?.match(/\b[A-Z]{2}-\d{2,3}\b/g) ?? [],
          holds: readHolds(last, abbreviations),
        });
    }
    before = line;
  }
  return rows;
}

function readHolds(cell: string, abbreviations: readonly (readonly [string, string])[]): CaseRow["holds"] {
  const holds: { files: string; titles: string[] }[] = [];
  let folder = "";
  for (const [, named, title] of cell.matchAll(/`([^`]+)`|"([^"]+)"/g)) {
    if (title !== undefined) {
      holds.at(-1)?.titles.push(title);
      continue;
    }
    const short = abbreviations.find(
      ([from]) => named === from || (from.endsWith("/") && named?.startsWith(from)),
    );
    const files = short === undefined ? (named ?? "") : short[1] + (named ?? "").slice(short[0].length);
    holds.push({ files: files.includes("/") ? files : folder + files, titles: [] });
    folder = files.includes("/") ? files.slice(0, files.lastIndexOf("/") + 1) : folder;
  }
  return holds;
}

/** What a row promises and the tree does not have. */
export function brokenPromises(root: string, { cases, holds }: CaseRow): string[] {
  const row = cases.join(", ");
  if (holds.length === 0) return [`${row}: nothing holds it`];
  return holds.flatMap(({ files, titles }) => {
    const found = globSync(files, { cwd: root }).flatMap((name) => filesOf(path.join(root, name)));
    if (found.length === 0) return [`${row}: there is no ${files}`];
    const sources = titles.length === 0 ? [] : found.map((file) => readFileSync(file, "utf8"));
    return titles
      .filter((title) => !sources.some((source) => literal(title).test(source)))
      .map((title) => `${row}: ${files} has no test "${title}"`);
  });
}

function filesOf(name: string): string[] {
  if (!statSync(name).isDirectory()) return [name];
  return readdirSync(name, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The title as a text of the source, quoted in any way. */
function literal(title: string): RegExp {
  const words = title.split("…").map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(["'\`])${words.join("[^\\n]*")}\\1`);
}
