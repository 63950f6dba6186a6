import type {
  Amounts,
  Artifact,
  BudgetBreach,
  JsonObject,
  Message,
  ModelUse,
  Part,
  Session,
} from "@cleveragents/domain";

/** One turn of a conversation: what was said, and to whom the answer belongs. */
export interface MessageTurn {
  readonly taskId: string;
  readonly contextId: string;
  readonly principal: string;
  /** What this turn answers, with the files that came with it as parts, by bytes or by URL. */
  readonly message: Message;
  /** All that was said in this task so far, oldest first, `message` last. */
  readonly history: readonly Message[];
  /** 1 for the message that made the task. */
  readonly turn: number;
  /** 1, and one more each time the process died in the middle: what was sent before may be sent again. */
  readonly attempt: number;
  /** Media types that the caller can take (A2A §3.2.2); undefined when it did not say. */
  readonly acceptedOutputModes: readonly string[] | undefined;
  /** The session as it was when the turn began; undefined for a context that is none. */
  readonly session: Session | undefined;
  /** Who sent the message has said that what cannot be undone may be done. */
  readonly unsafe?: true;
  /** By which name the actor was chosen; undefined for the agent's own. */
  readonly actor: string | undefined;
  /**
   * What was said in this context before this task, oldest first: the newest exchanges that fit into so many tokens
   * (one for about four bytes). An exchange, a message with its answers, comes whole or not at all. What was imported comes first.
   */
  earlier(tokens: number): Promise<readonly Message[]>;
  readonly plans: TurnPlans;
  /** What the session may use up; undefined where nothing bounds it. Who uses models asks it first. */
  readonly budget: TurnBudget | undefined;
  /** Fires when the task was cancelled ({@link TurnCancelledError}), was taken over, or the process is about to end. */
  readonly signal: AbortSignal;
}

/** Why the signal of a turn has fired whose task was cancelled: what it has begun elsewhere is to be stopped, too. */
export class TurnCancelledError extends Error {
  override readonly name = "TurnCancelledError";
}

/** The budget of a session, which its plans charge as well. */
export interface TurnBudget {
  /** What is left of each kind that is bounded; what this turn has reserved counts as left. */
  left(): Promise<Amounts>;
  /**
   * Takes what a request can use at most, in the place of what was reserved before; durable when it resolves. Answers
   * what stands in the way, and has then taken nothing.
   */
  reserve(amounts: Amounts): Promise<BudgetBreach | undefined>;
  /** Puts what was really used in the place of what was reserved. */
  settle(used: Amounts): Promise<void>;
}

/**
 * What an actor may do about plans: those of the turn's principal, in its context. It has no way to approve, to apply or
 * to answer a question: that is the human's. Refusals of the domain are thrown as they are.
 */
export interface TurnPlans {
  /** Starts a plan. The same key in the same turn is the same plan, also in a later attempt. */
  start(key: string, call: PlanCall): Promise<TurnPlan>;
  /** Tells a plan something; it takes it at its next step. The same key is the same guidance. */
  guide(key: string, planId: string, text: string): Promise<TurnPlan>;
  cancel(planId: string, reason?: string): Promise<TurnPlan>;
  show(planId: string): Promise<TurnPlan>;
  /** Newest first, at most a hundred. */
  list(): Promise<readonly TurnPlan[]>;
}

export interface PlanCall {
  readonly action: string;
  readonly arguments: JsonObject;
  readonly project?: string | undefined;
  readonly profile?: string | undefined;
}

export interface TurnPlan {
  readonly planId: string;
  readonly action: string;
  readonly phase: string;
  readonly state: string;
  /** What it waits for a human to say, in words; undefined when it waits for nobody. */
  readonly asks: string | undefined;
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
  /** What the turn has used of models. */
  readonly use?: readonly ModelUse[];
}

/** Somebody who answers messages. A turn may be run again after its process died, so it must bear that. */
export interface MessageActor {
  /** Media types of parts that it takes, e.g. `text/plain` or `image/*`. Everything when absent. */
  readonly inputModes?: readonly string[];
  /** An answer that needs no task; undefined when this message makes one. Must have no effect. Not asked in a session. */
  reply?(message: Message, signal: AbortSignal): Promise<readonly Part[] | undefined>;
  /** Why it cannot be the actor of a session, where it never can; asked before one is opened. */
  unfit?(): Promise<string | undefined>;
  /** Whatever it throws fails the task, with a reference for the log and no word of the error. */
  run(turn: MessageTurn, log: TurnLog): Promise<TurnEnd>;
}

/** Those who answer messages, by the names that sessions give them. */
export interface MessageActors {
  /**
   * Who answers in the name of a registered or a provider's actor; undefined when nothing of that name converses.
   * Asked for each turn: what was changed in the registry counts from the next turn on. Cheap, starts nothing.
   */
  find(name: string): Promise<MessageActor | undefined>;
}
