import type { ResultOf } from "@cleveragents/protocol";
import type { Page } from "../output/output.ts";
import { count, fields } from "../output/words.ts";
import { stepLine } from "./step-line.ts";

type Explanation = ResultOf<"_cleveragents/plan/explain">;
type DecisionRef = Explanation["supersedes"][number];
type File = Explanation["impact"]["files"][number];

/** Why something was decided, what was known, and what came of it. */
export function explanationText(explained: Explanation, page: Page): string {
  const { impact, alternatives, confidence, supersedes } = explained;
  const isRoot = explained.parent === null;
  return fields([
    ["Decision", identity(explained)],
    ["Question", explained.question],
    ["Chosen", `${page.paint.bold(explained.chosen)}${isRoot ? "" : ` (${Math.round(confidence * 100)} %)`}`],
    ["Because", explained.rationale],
    ["Considered", alternatives.map((alternative) => alternativeText(alternative)).join("\n")],
    ["Invariants", explained.invariants_considered.map(({ text }) => text).join("\n")],
    ["Knew", knownText(explained.context_snapshot)],
    ["Corrects", explained.corrects && refText(explained.corrects)],
    ["Superseded by", explained.superseded_by && refText(explained.superseded_by)],
    ["Supersedes", supersedes.map(refText).join("\n")],
    ["Leads to", impact.downstream_decisions.map(refText).join("\n")],
    ["Steps", impact.steps.map((step) => stepLine(step, page.paint)).join("\n")],
    ["Files", filesText(impact.files, page) ?? impact.files_unknown],
    ["Tool calls", callsText(impact.tool_calls)],
    ["Events", impact.events_truncated ? `${impact.events.length} and more` : String(impact.events.length)],
    ["Next", explained.correction_hint],
  ]);
}

function identity({ decision_id, label, phase, sequence, total, attempt }: Explanation): string {
  const facts = [label, phase, `${sequence} of ${total}`, attempt > 1 ? `attempt ${attempt}` : undefined];
  return `${decision_id} (${facts.filter((fact) => fact !== undefined).join(", ")})`;
}

function alternativeText({ id, description, chosen }: Explanation["alternatives"][number]): string {
  return `${chosen ? "*" : "-"} ${id}${description === "" ? "" : `: ${description}`}`;
}

function refText({ decision_id, question, chosen }: DecisionRef): string {
  return `${question} -> ${chosen} (${decision_id.slice(-8)})`;
}

const KNOWN = ["arguments", "decisions", "guidance", "results", "files", "conditions"];

/** What there is of it; the whole snapshot is in the JSON. */
function knownText(snapshot: Explanation["context_snapshot"]): string {
  return KNOWN.flatMap((name) => {
    const value = snapshot[name];
    const text = JSON.stringify(value) ?? "";
    return ["", "{}", "[]", "null"].includes(text) ? [] : [`${name} ${shortened(text)}`];
  }).join("\n");
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

function filesText(files: readonly File[], { paint }: Page): string | undefined {
  if (files.length === 0) return undefined;
  const lines = files.flatMap(({ path, change, in_changeset, hunks, truncated }) => [
    `${path} ${change}${in_changeset === false ? " (not in the changeset)" : ""}`,
    ...hunks.flatMap((hunk) => [
      paint.dim(`  ${rangeOf(hunk)}`),
      ...hunk.lines.map((line) => `  ${painted(line, paint)}`),
    ]),
    ...(truncated ? [paint.dim("  …")] : []),
  ]);
  return lines.join("\n");
}

/** As patches say it. */
function rangeOf({ old_start, old_lines, new_start, new_lines, heading }: File["hunks"][number]): string {
  const side = (start: number, lines: number) => (lines === 1 ? `${start}` : `${start},${lines}`);
  const range = `@@ -${side(old_start, old_lines)} +${side(new_start, new_lines)} @@`;
  return heading === undefined ? range : `${range} ${heading}`;
}

function painted(line: string, paint: Page["paint"]): string {
  if (line.startsWith("+")) return paint.green(line);
  return line.startsWith("-") ? paint.red(line) : line;
}

function callsText({
  sandboxed,
  compensable,
  irreversible,
}: Explanation["impact"]["tool_calls"]): string | undefined {
  const parts = [
    sandboxed > 0 ? `${sandboxed} in the plan's copy` : undefined,
    compensable > 0 ? `${compensable} that can be made up for` : undefined,
    irreversible > 0 ? `${count(irreversible, "call")} that cannot be undone` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
}
