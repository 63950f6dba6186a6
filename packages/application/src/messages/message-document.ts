import type { JsonObject } from "@cleveragents/domain";
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
}

export function messageDocumentOf(row: TaskRow): MessageDocument {
  return row.document as unknown as MessageDocument; // written by this folder alone
}

/** What stands as the run of a task while somebody works on a turn; none of the engine's. */
export function turnRun({ turn, attempt }: MessageDocument): string {
  return `turn:${turn}:${attempt}`;
}

export function toDocument(document: MessageDocument): JsonObject {
  return document as unknown as JsonObject;
}
