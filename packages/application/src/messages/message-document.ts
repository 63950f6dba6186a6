import type { Amounts, JsonObject, ModelUse } from "@cleveragents/domain";
import type { TaskRow } from "../ports/task-store.ts";

/** What a message task keeps beside its log. */
export interface MessageDocument {
  readonly turn: number;
  readonly attempt: number;
  /** How many of the attempts ended because the process was told to stop. */
  readonly stops?: number;
  /** Until when somebody works on the turn (milliseconds); absent when nobody does. */
  readonly leaseUntil?: number;
  readonly acceptedOutputModes?: readonly string[];
  /** Its context is a session, whose turns are taken one after the other. */
  readonly session?: true;
  /** It waits for its turn in the session. */
  readonly queued?: true;
  /** By which name the session, or who sent the message, chose who answers. */
  readonly actor?: string;
  /** It may do what cannot be undone. */
  readonly unsafe?: true;
  /** What a request of the turn has taken of its session's budget, as long as it is not known what it has really used. */
  readonly reserved?: Amounts;
  /** What its turns have used of models. */
  readonly modelUse?: readonly ModelUse[];
}

export function messageDocumentOf(row: TaskRow): MessageDocument {
  return row.document as unknown as MessageDocument; // written by this folder alone
}

/** What stands as the run of a task while somebody works on a turn, or is to; none of the engine's. */
export function turnRun({ turn, attempt, queued }: MessageDocument): string {
  return queued === true ? "line" : `turn:${turn}:${attempt}`;
}

/** The document when nobody works on the task any more, and nobody is to. */
export function atRest({
  leaseUntil: _,
  queued: __,
  reserved: ___,
  ...document
}: MessageDocument): MessageDocument {
  return document;
}

export function toDocument(document: MessageDocument): JsonObject {
  return document as unknown as JsonObject;
}
