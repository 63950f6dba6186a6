import type { Artifact, JsonObject, Message, Part } from "@cleveragents/domain";

/** One turn of a conversation: what was said, and to whom the answer belongs. */
export interface MessageTurn {
  readonly taskId: string;
  readonly contextId: string;
  readonly principal: string;
  /** What this turn answers. */
  readonly message: Message;
  /** All that was said in this task so far, oldest first, `message` last. */
  readonly history: readonly Message[];
  /** 1 for the message that made the task. */
  readonly turn: number;
  /** 1, and one more each time the process died in the middle: what was sent before may be sent again. */
  readonly attempt: number;
  /** Media types that the caller can take (A2A §3.2.2); undefined when it did not say. */
  readonly acceptedOutputModes: readonly string[] | undefined;
  /** Fires when the task was cancelled, was taken over, or the process is about to end. */
  readonly signal: AbortSignal;
}

/** What an actor may say while its turn lasts. Order is kept; after the turn's signal has fired everything rejects. */
export interface TurnLog {
  /** A state that the turn goes on from. Durable when it resolves. */
  status(state: "working" | "auth-required", parts?: readonly Part[]): Promise<void>;
  /** A piece of an artifact; `append` false begins it anew. Joined with others before it becomes durable. */
  artifact(update: {
    readonly artifact: Artifact;
    readonly append?: boolean;
    readonly lastChunk?: boolean;
  }): Promise<void>;
}

export interface TurnEnd {
  readonly state: "completed" | "failed" | "rejected" | "input-required" | "auth-required";
  readonly parts?: readonly Part[];
  readonly metadata?: JsonObject;
}

/** Somebody who answers messages. A turn may be run again after its process died, so it must bear that. */
export interface MessageActor {
  /** Media types of parts that it takes, e.g. `text/plain` or `image/*`. Everything when absent. */
  readonly inputModes?: readonly string[];
  /** An answer that needs no task; undefined when this message makes one. Must have no effect. */
  reply?(message: Message, signal: AbortSignal): Promise<readonly Part[] | undefined>;
  /** Whatever it throws fails the task, with a reference for the log and no word of the error. */
  run(turn: MessageTurn, log: TurnLog): Promise<TurnEnd>;
}
