import { clean } from "../output/clean.ts";
import type { A2aRun } from "./a2a-command.ts";
import { type EventView, readEvent, readTask, type TaskView } from "./answers.ts";
import { eventText, outcomeWarning, taskText } from "./task-text.ts";

/** What was sent, or an element of a stream: its JSON as it came, or the same for people. */
export function emitEvent(run: A2aRun, json: unknown, event: EventView): Promise<void> {
  return run.emit(json, {
    text: (given) => eventText(readEvent(given), run.continuing, run.streams),
    names: () => nameOf(event),
  });
}

export function emitTask(run: A2aRun, json: unknown): Promise<void> {
  const task: TaskView = readTask(json);
  run.remember(task.id);
  return run.emit(json, {
    text: (given) => taskText(readTask(given), run.continuing),
    names: () => [clean(task.id)],
  });
}

function nameOf(event: EventView): readonly string[] {
  switch (event.kind) {
    case "task":
      return [event.task.id];
    case "message":
      return [event.message.id];
    case "status":
    case "artifact":
      return [event.taskId];
    case "unknown":
      return [];
  }
}

/** An outcome that is none to be glad of is told; the exit code says only that the command did its job (§6.6). */
export function sayOutcome({ output }: A2aRun, event: EventView | undefined): void {
  const state =
    event?.kind === "task" ? event.task.state : event?.kind === "status" ? event.state : undefined;
  const warning = state === undefined ? undefined : outcomeWarning(clean(state));
  if (warning !== undefined) output.warn(warning);
}
