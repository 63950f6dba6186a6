import type { Paint } from "../output/paint.ts";
import { count } from "../output/words.ts";
import type { PlanStatus } from "./ask-text.ts";
import { shortId } from "./resolve-plan-id.ts";

type Child = NonNullable<PlanStatus["children"]>[number];

const MARKS: Readonly<Record<Child["status"], string>> = {
  pending: "·",
  running: "▸",
  complete: "✓",
  failed: "✗",
  cancelled: "-",
};

/** Plans that a plan has started, a line each; what one of them waits for stands below it, with how to answer. */
export function childrenText(children: readonly Child[], paint: Paint): string {
  return children.flatMap((child) => childLines(child, paint)).join("\n");
}

function childLines(
  { name, plan_id, status, merged, waiting_for, conflicts, detail }: Child,
  paint: Paint,
): string[] {
  const mark = {
    complete: paint.green,
    failed: paint.red,
    running: paint.cyan,
    pending: paint.dim,
    cancelled: paint.dim,
  }[status];
  const id = plan_id === undefined ? "" : ` ${paint.dim(shortId(plan_id))}`;
  const words = [
    status === "complete" ? (merged ? "merged" : "not merged yet") : status,
    ...(conflicts === undefined ? [] : [`${count(conflicts.length, "file")} in conflict`]),
    ...(detail === undefined || detail === "" ? [] : [detail]),
  ];
  return [
    `${mark(MARKS[status])} ${name}${id} ${words.join(", ")}`,
    ...(waiting_for === undefined || plan_id === undefined
      ? []
      : [`  waits for: ${waiting_for.prompt}`, `  agents plan status ${plan_id}`]),
  ];
}

/** The children that wait for somebody while their plan waits for them. */
export function waitingChildren({ children = [] }: Pick<PlanStatus, "children">): readonly Child[] {
  return children.filter(({ waiting_for }) => waiting_for !== undefined);
}
