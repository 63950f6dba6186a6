import type { Artifact, JsonObject, Message } from "./message.ts";
import type { TaskState } from "./task-state.ts";

/**
 * What happened in the words of the domain, e.g. `plan.phase_changed`, `decision.created`, `tool.completed`,
 * `checkpoint.restored`. It rides in the metadata of the A2A event that the log entry maps to.
 */
export interface DomainEvent {
  readonly name: string;
  readonly data?: JsonObject;
}

/**
 * One entry of a task's log. Each entry becomes exactly one A2A event (a status or an artifact update), so that
 * the sequence a peer sees has no gaps. A status entry that only reports progress repeats the current state.
 */
export type TaskEvent =
  | {
      readonly type: "status";
      readonly state: TaskState;
      /** What the agent says with this status; part of the history. */
      readonly message?: Message;
      /** A message that was received (role user), recorded in the history by this entry. */
      readonly received?: Message;
      readonly domain?: DomainEvent;
    }
  | {
      readonly type: "artifact";
      readonly artifact: Artifact;
      /** True: the parts follow those already there. False: they replace the artifact of this id. */
      readonly append: boolean;
      readonly lastChunk: boolean;
      readonly domain?: DomainEvent;
    };

/** A log entry as it is stored: numbered from 1 without gaps per task. */
export interface LoggedEvent {
  readonly taskId: string;
  readonly seq: number;
  /** Unique per task; the same key is never logged twice. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly event: TaskEvent;
}
