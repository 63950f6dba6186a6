import type { JsonObject } from "@cleveragents/domain";
import type { FailPoint } from "./fail-point.ts";

/** What a node of a graph asks of something that answers elsewhere: another agent, a graph on a server. */
export interface NodeCall {
  /** Unique and the same in every attempt to make this call: what makes sure that it is made once. */
  readonly callId: string;
  readonly node: string;
  /** What `settingsOf` has made of the actor, or of the node, when the plan or the message began. */
  readonly settings: JsonObject;
  /** What it is asked, templates filled. */
  readonly text: string;
  /** Values of the graph that the node hands on with it. */
  readonly values: JsonObject;
  /** What the last step of this call has answered as `state`; undefined at the first. */
  readonly state: JsonObject | undefined;
  /** What the user has answered to what the last step asked. */
  readonly answer: { readonly text: string } | undefined;
}

/** What a step of such a call has come to. */
export type NodeStep =
  /** There is more to do; `state` is durable before the next step is taken. */
  | { readonly kind: "more"; readonly state: JsonObject; readonly waitMs?: number }
  /** The user is to be asked; the next step has the answer. */
  | {
      readonly kind: "ask";
      readonly state: JsonObject;
      readonly question: string;
      readonly options?: readonly string[];
      /** Somebody has to show who they are. */
      readonly credential?: true;
    }
  | { readonly kind: "done"; readonly text: string; readonly value?: JsonObject }
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly message: string;
      /** With which the call begins when somebody lets it be tried again; anew when absent. */
      readonly state?: JsonObject;
    };

export interface NodeContext {
  /** A plan's id, or a message task's. */
  readonly taskId: string;
  readonly contextId: string;
  readonly principal: string;
  /** Fires when the work is cancelled, taken over, or the process ends. Throw its reason then. */
  readonly signal: AbortSignal;
  /** A process that died may have taken the first step of this call, and nothing is known of that. */
  readonly again?: boolean;
  readonly failPoint?: FailPoint | undefined;
  /** Passes on what is being said, as it comes. */
  say(text: string): void;
}

/**
 * Who carries out nodes of one kind of actors. Serves all graphs and keeps nothing of them: what has to be remembered of
 * a call is its `state`. A step is safe to take again after a crash anywhere in it; what must not be done twice is in the
 * state of the step before. Refusals of the other side are `failed`, never thrown.
 */
export interface RemoteNodes {
  /** The `type` of the actors' documents that it is for, and of the nodes: `a2a`, `remote_graph`. */
  readonly kind: string;
  /** What is kept of an actor's document, or of a node's own fields. Throws for one that it cannot read. */
  settingsOf(document: JsonObject): JsonObject;
  step(call: NodeCall, context: NodeContext): Promise<NodeStep>;
  /**
   * The work is over before the call was: the other side is told so, in bounded time. Answers why it could not be, in
   * words. Never throws.
   */
  cancel?(call: Pick<NodeCall, "callId" | "settings" | "state">): Promise<string | undefined>;
}
