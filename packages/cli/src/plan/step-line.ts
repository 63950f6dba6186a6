import type { Paint } from "../output/paint.ts";

export interface StepView {
  /** From 0, as on the wire; people count from 1. */
  readonly index: number;
  readonly label: string;
  readonly status: string;
  readonly detail?: string | undefined;
}

const MARKS: Readonly<Record<string, string>> = {
  pending: "·",
  running: "▸",
  done: "✓",
  skipped: "-",
  failed: "✗",
};

/** `✓ 2 run tests (3 files)`: one step with the mark of its status. */
export function stepLine({ index, label, status, detail }: StepView, paint: Paint): string {
  const mark = MARKS[status] ?? "?";
  const words = status === "failed" || status === "skipped" ? ` ${status}` : "";
  const line = told(`${label}${words}`, label, detail)
    .trim()
    .replaceAll(/\s*\n\s*/g, " ");
  return `${paintStep(status, paint)(mark)} ${index + 1} ${line}`;
}

function paintStep(status: string, paint: Paint): (text: string) => string {
  return status === "done"
    ? paint.green
    : status === "failed"
      ? paint.red
      : status === "running"
        ? paint.cyan
        : paint.dim;
}

/** A plan's state in the colour of what it means for its owner. */
export function paintState(state: string, paint: Paint): string {
  if (state === "applied" || state === "complete") return paint.green(state);
  if (state === "failed" || state === "errored" || state === "rejected" || state === "cancelled")
    return paint.red(state);
  return state === "running" ? paint.cyan(state) : state === "constrained" ? paint.yellow(state) : state;
}

/** What a step did says what it was to do as well: then it stands alone. */
function told(text: string, label: string, detail: string | undefined): string {
  if (detail === undefined || detail === "") return text;
  const target = label.slice(label.indexOf(" ") + 1);
  const saysIt = label.includes(" ") && (detail.includes(target) || startOf(target, detail));
  return text === label && saysIt ? detail : `${text} (${detail})`;
}

/** A long command is cut off where it is told what it came to. */
function startOf(target: string, detail: string): boolean {
  const [, shown] = /`(.+)…`/s.exec(detail) ?? [];
  return shown !== undefined && target.replaceAll(/\s+/g, " ").startsWith(shown.replaceAll(/\s+/g, " "));
}
