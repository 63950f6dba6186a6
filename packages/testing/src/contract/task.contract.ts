import type { OpenWorld } from "../world/world.ts";
import { prepare } from "./task/fixtures.ts";
import { hitl } from "./task/hitl.ts";
import { sendMessage } from "./task/send-message.ts";
import { cancelTask, getTask, listTasks, subscribeToTask } from "./task/tasks.ts";

/** The standard operations of A2A on tasks (A2A §3.1). */
export function taskContract(open: OpenWorld): void {
  const prepared = prepare(open);
  sendMessage(prepared);
  hitl(prepared);
  getTask(prepared);
  listTasks(prepared);
  cancelTask(prepared);
  subscribeToTask(prepared);
}
