import type { ResultOf } from "@cleveragents/protocol";
import { count } from "../output/words.ts";

type ChangeSummary = NonNullable<ResultOf<"_cleveragents/plan/status">["changes"]>;
type FileChange = ResultOf<"_cleveragents/plan/diff">["files"][number];

/** 3 files, +10 -2 (1 created, 2 modified). */
export function changesText(changes: ChangeSummary): string {
  const kinds = [
    [changes.created, "created"],
    [changes.modified, "modified"],
    [changes.deleted, "deleted"],
    [changes.renamed, "renamed"],
    [changes.mode_changes, changes.mode_changes === 1 ? "mode change" : "mode changes"],
    [changes.binary, "binary"],
  ] as const;
  const parts = kinds.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  const lines = `${count(changes.files, "file")}, +${changes.insertions} -${changes.deletions}`;
  return parts.length === 0 ? lines : `${lines} (${parts.join(", ")})`;
}

/** What stands beside a path: renamed from where, another mode, binary. */
export function changeFacts({ status, previous_path, binary, old_mode, new_mode }: FileChange): string {
  const mode =
    old_mode !== undefined && new_mode !== undefined && old_mode !== new_mode
      ? `mode ${old_mode} -> ${new_mode}`
      : "";
  const facts = [
    status === "modified" ? "" : status,
    previous_path === undefined ? "" : `from ${previous_path}`,
    mode,
    binary ? "binary" : "",
  ].filter((fact) => fact !== "");
  return facts.length === 0 ? "" : `(${facts.join(", ")})`;
}
