import type { LoggedEvent } from "@cleveragents/domain";
import { formatCursor, type StreamElement } from "@cleveragents/protocol";
import { toStreamResponse, type WireStreamResponse } from "../wire/task.ts";

/** An event of a log as an element of a stream, made and written down once however many follow. */
export class LoggedElement implements StreamElement {
  readonly cursor: string;
  readonly seq: number;
  readonly result: WireStreamResponse;
  #json: string | undefined;

  constructor(logged: LoggedEvent, contextId: string) {
    this.cursor = formatCursor(logged.taskId, logged.seq);
    this.seq = logged.seq;
    this.result = toStreamResponse(logged, contextId);
  }

  json(): string {
    this.#json ??= JSON.stringify(this.result);
    return this.#json;
  }
}

const made = new WeakMap<LoggedEvent, LoggedElement>();

/** Whoever follows at the tip of a log is handed the same objects of it. */
export function elementOf(logged: LoggedEvent, contextId: string): StreamElement {
  let element = made.get(logged);
  if (element === undefined) {
    element = new LoggedElement(logged, contextId);
    made.set(logged, element);
  }
  return element;
}
