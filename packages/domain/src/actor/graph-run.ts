import type { JsonObject } from "../task/message.ts";
import type { Conversation } from "./conversation.ts";

/** What a node has come to. */
export interface NodeResult {
  readonly ok: boolean;
  readonly text: string;
  readonly value?: JsonObject;
}

/** What a node wants to have done, its templates filled. */
export type NodeEffect =
  | { readonly kind: "llm"; readonly prompt: string }
  | { readonly kind: "remote"; readonly text: string; readonly values: JsonObject }
  | { readonly kind: "tool"; readonly args: JsonObject }
  | { readonly kind: "ask"; readonly question: string };

/** A node that waits for something, and what has come of it so far. */
export interface GraphNeed {
  /** By which the graph's engine knows it. */
  readonly id: string;
  readonly node: string;
  readonly effect: NodeEffect;
  /** Unique in the plan; absent until it has begun. */
  readonly callId?: string;
  /** Of a tool, or a question: the step that carries it out. */
  readonly step?: number;
  /** Of a model: what was said, once it is over. */
  readonly conversation?: Conversation;
  /** Of what answers elsewhere. */
  readonly remote?: {
    readonly state?: JsonObject;
    readonly answer?: string;
    readonly question?: string;
    readonly options?: readonly string[];
    /** Somebody has to show who they are. */
    readonly credential?: true;
    /** How often it has asked. */
    readonly asked?: number;
  };
  readonly result?: NodeResult;
}

/** A step of a graph that was taken: where it began, and what came of its nodes. */
export interface PassedStep {
  readonly at: string;
  readonly needs: readonly GraphNeed[];
}

/** How far a graph has come for a plan in one phase. */
export interface GraphRun {
  readonly attempt: number;
  /** Of who looks on: which question of the attempt it is about. */
  readonly about?: string;
  /** How often the plan had been taken back. */
  readonly reversions: number;
  /** Counts runs from the beginning, each of which has checkpoints of its own. */
  readonly run: number;
  /** The checkpoint that it stands at; absent before it has begun. */
  readonly at?: string;
  readonly needs: readonly GraphNeed[];
  readonly passed: readonly PassedStep[];
  /** Steps that were taken, and calls that were begun, those that were taken back too. */
  readonly steps: number;
  readonly calls: number;
  /** After it was taken back: what stands of the step that is taken anew, by its nodes. */
  readonly kept?: readonly GraphNeed[];
  /** It has to go back before anything else: to where this step began. */
  readonly back?: { readonly at: string };
  readonly finished?: { readonly text: string };
  /** Of a graph that looks: what was handed in. */
  readonly submitted?: JsonObject;
}
