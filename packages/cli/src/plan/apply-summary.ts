import type { ResultOf } from "@cleveragents/protocol";
import { clean } from "../output/clean.ts";
import type { Output } from "../output/output.ts";
import { count } from "../output/words.ts";
import { diffStat } from "./diff-stat.ts";

export type Diff = ResultOf<"_cleveragents/plan/diff">;

/** What would be written where: told before somebody agrees to it. */
export function summarize(diff: Diff, output: Output, say: (line: string) => void): void {
  const shown = clean(diff);
  say(`Apply to ${shown.diff_summary.project}: ${count(shown.files.length, "file")}`);
  say(`Digest ${shown.digest}`);
  if (shown.files.length > 0) say(diffStat(shown, output.errorPage));
  if (shown.left_out !== undefined) say(`Left out: ${shown.left_out.paths.join(", ")}`);
  if (shown.merged !== undefined) say(`Merged with the project: ${shown.merged.join(", ")}`);
  for (const { kind, path, note } of shown.risks) output.warn(`${path}: ${note} (${kind})`);
}
