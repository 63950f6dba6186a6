import type { ResultOf } from "@cleveragents/protocol";
import type { Page } from "../output/output.ts";
import { cut, padEnd, widthOf } from "../output/width.ts";
import { count } from "../output/words.ts";
import { changeFacts } from "./changes-text.ts";

/** Files with a bar of their insertions and deletions, and the sums: what `git diff --stat` shows. */
export function diffStat(
  { files, diff_summary }: ResultOf<"_cleveragents/plan/diff">,
  { paint, columns }: Page,
): string {
  const names = files.map((file) => [file.path, changeFacts(file)].filter((text) => text !== "").join(" "));
  const sums = files.map(({ insertions, deletions }) => insertions + deletions);
  const digits = Math.max(1, ...sums.map((sum) => String(sum).length));
  const available = columns ?? 100;
  const nameWidth = Math.min(Math.max(0, ...names.map(widthOf)), Math.max(20, available - digits - 16));
  const barWidth = Math.max(5, Math.min(40, available - nameWidth - digits - 5));
  const scale = Math.min(1, barWidth / Math.max(1, ...sums));
  const lines = files.map((file, index) => {
    const name = padEnd(cut(names[index] ?? "", nameWidth), nameWidth);
    if (file.binary) return ` ${name} | ${"bin".padStart(digits)}`;
    const [plus, minus] = [bar(file.insertions, scale), bar(file.deletions, scale)];
    const drawn = paint.green("+".repeat(plus)) + paint.red("-".repeat(minus));
    return ` ${name} | ${String(sums[index] ?? 0).padStart(digits)} ${drawn}`.trimEnd();
  });
  const { insertions, deletions } = diff_summary;
  const total = ` ${count(files.length, "file")} changed, ${count(insertions, "insertion")}(+), ${count(deletions, "deletion")}(-)`;
  return [...lines, total].join("\n");
}

function bar(lines: number, scale: number): number {
  return lines === 0 ? 0 : Math.max(1, Math.round(lines * scale));
}
