/** What could not be saved, as far as anything still tells. */
export interface SalvageReport {
  /** Tasks whose whole entry is gone: what was left of their logs could not be told whose it is. */
  readonly tasks: readonly string[];
  /** Entries of logs; each stands as a gap in the log that the task has now. */
  readonly entries: readonly { readonly taskId: string; readonly lost: number }[];
  /** Plans that cannot go on, since what they know of themselves is gone: they are ended as failed. */
  readonly plans: readonly string[];
  /** Names in the registry, sessions, changesets, messages waiting to be looked at, by table. */
  readonly others: readonly { readonly table: string; readonly key: string }[];
  /** Pages and rows that made no sense; lost without a name where nothing above names them. */
  readonly unreadable: number;
  /** What was saved. */
  readonly saved: { readonly tasks: number; readonly entries: number };
}

/** For a log line and a person. */
export function summaryOf(report: SalvageReport): string {
  const { tasks, entries, plans, others, unreadable, saved } = report;
  const lost = [
    ...(tasks.length > 0 ? [`tasks lost: ${few(tasks)}`] : []),
    ...(entries.length > 0
      ? [`log entries lost: ${few(entries.map(({ taskId, lost: n }) => `${n} of ${taskId}`))}`]
      : []),
    ...(plans.length > 0 ? [`plans that cannot go on: ${few(plans)}`] : []),
    ...(others.length > 0 ? [`also lost: ${few(others.map(({ table, key }) => `${key} (${table})`))}`] : []),
  ];
  const kept = `saved ${saved.tasks} tasks with ${saved.entries} log entries`;
  if (lost.length > 0) return `${kept}; ${lost.join("; ")}`;
  return unreadable === 0
    ? `${kept}; nothing was lost`
    : `${kept}; ${unreadable} unreadable places, nothing known was lost`;
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(", ");
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown;
}
