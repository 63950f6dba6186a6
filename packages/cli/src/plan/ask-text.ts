import type { ResultOf } from "@cleveragents/protocol";

export type PlanStatus = ResultOf<"_cleveragents/plan/status">;
export type Ask = NonNullable<PlanStatus["waiting_for"]>;

/** The question and, for one that has them, its options. */
export function askText({
  prompt,
  options,
  free_text,
}: Pick<Ask, "prompt" | "options" | "free_text">): string {
  const lines = options.map(({ id, label }) => `  ${id}${label === "" || label === id ? "" : `: ${label}`}`);
  return [prompt, ...lines, ...(free_text ? ["  or an answer in words"] : [])].join("\n");
}

/** What a person may do next about a plan, as commands. */
export function nextCommands({
  plan_id,
  state,
  task_state,
  waiting_for,
  digest,
  children = [],
}: PlanStatus): string[] {
  const agents = (verb: string, rest = "") => `agents plan ${verb} ${plan_id}${rest}`;
  switch (waiting_for?.kind) {
    case "start":
      return [agents("execute"), agents("cancel")];
    case "apply":
      return [agents("diff"), agents("apply"), agents("reject")];
    case "question":
      return [
        ...waiting_for.options.map(({ id }) => agents("approve", ` --option ${shellWord(id)}`)),
        ...(waiting_for.free_text ? [agents("approve", ' --text "…"')] : []),
        agents("reject"),
      ];
    case "guard":
    case "budget":
    case "conflict":
      return [...waiting_for.options.map(({ id }) => agents("approve", ` --option ${id}`)), agents("cancel")];
    case "retry":
      return [
        agents("execute"),
        ...waiting_for.options
          .filter(({ id }) => id === "revise" || id === "repair")
          .map(({ id }) => agents("approve", ` --option ${id}`)),
        agents("cancel"),
      ];
    case undefined:
      break;
  }
  const asking = children.flatMap((child) => (child.waiting_for === undefined ? [] : (child.plan_id ?? [])));
  if (asking.length > 0) return asking.map((id) => `agents plan status ${id}`);
  if (task_state === "TASK_STATE_WORKING" || task_state === "TASK_STATE_SUBMITTED") return [agents("watch")];
  if (task_state !== "TASK_STATE_COMPLETED" || digest === undefined) return [];
  return state === "applied" ? [agents("diff"), agents("rollback")] : [agents("diff")];
}

function shellWord(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
