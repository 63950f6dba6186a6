import { isTerminal } from "@cleveragents/domain";
import type { TaskRecord } from "../task-record.ts";

/** The log has no gap from 1 on, says nothing twice, and nothing after its end. */
export function checkLog({ taskId, events }: TaskRecord): readonly string[] {
  const problems: string[] = [];
  const keys = new Set<string>();
  let ended: number | undefined;
  events.forEach(({ seq, key, event }, index) => {
    if (seq !== index + 1) problems.push(`task ${taskId}: event ${index + 1} has the sequence ${seq}`);
    if (keys.has(key)) problems.push(`task ${taskId}: ${key} is logged twice`);
    keys.add(key);
    if (ended !== undefined) problems.push(`task ${taskId}: ${key} (${seq}) comes after the end (${ended})`);
    if (event.type === "status" && isTerminal(event.state)) ended ??= seq;
  });
  return problems;
}
