import type { JsonObject, TokenUsage } from "@cleveragents/domain";

export interface ModelToolCall {
  /** The model's own name for the call, or one that was made where it gave none. */
  readonly id: string;
  readonly name: string;
  /** As the model wrote it: to be JSON, which nobody has checked. */
  readonly arguments: string;
}

export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ModelToolCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly text: string; readonly failed?: boolean };

export interface ModelTool {
  /** Letters, digits, _ and -, at most 64. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface ModelRequest {
  readonly system?: string;
  /** Each call of a tool is followed by its answer. */
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  /** `auto` when absent. */
  readonly toolChoice?: "auto" | "required" | "none";
  /** The answer's text is to be JSON of this shape; how far a model is held to it, its settings say. */
  readonly answer?: { readonly name: string; readonly schema: JsonObject };
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
}

/** What has come so far of an answer, in the order in which it came. */
export type ModelPiece =
  | { readonly kind: "text" | "reasoning"; readonly text: string }
  | { readonly kind: "tool-call"; readonly name: string };

/** `length`: it was cut by the tokens that it may have. `refused`: the provider holds it back. */
export type ModelStop = "end" | "tool-calls" | "length" | "refused";

export interface ModelAnswer {
  readonly text: string;
  readonly reasoning?: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly stop: ModelStop;
  /** Undefined where the server has said nothing of it. */
  readonly usage?: TokenUsage;
}

/** What a server says that it has. */
export interface OfferedModel {
  readonly name: string;
  readonly context?: number;
}

export type ModelErrorReason =
  | "MODEL_AUTH"
  | "MODEL_RATE_LIMITED"
  | "MODEL_UNAVAILABLE"
  | "MODEL_BAD_RESPONSE"
  | "MODEL_BAD_REQUEST"
  | "MODEL_CONTEXT_TOO_LONG"
  | "MODEL_TIMEOUT"
  | "MODEL_UNKNOWN"
  | "MODEL_NOT_CONFIGURED";

export interface ModelErrorFacts {
  /** The same request may well be answered later. */
  readonly transient?: boolean;
  /** The server's own wish, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Something of the answer had come already. */
  readonly begun?: boolean;
  readonly cause?: unknown;
}

/** A model did not answer. The text is for people and holds no key and no credentials of an address. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly reason: ModelErrorReason;
  readonly transient: boolean;
  readonly retryAfterMs: number | undefined;
  readonly begun: boolean;
  constructor(reason: ModelErrorReason, message: string, facts: ModelErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.reason = reason;
    this.transient = facts.transient ?? false;
    this.retryAfterMs = facts.retryAfterMs;
    this.begun = facts.begun ?? false;
  }
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Told what comes, while it comes. Must not throw. */
  readonly onPiece?: ((piece: ModelPiece) => void) | undefined;
}

/**
 * The models of one provider, spoken to once per call: no retries, no waiting for others. Keeps to the provider's
 * timeouts. Throws {@link ModelError}, or the signal's reason when it has fired.
 */
export interface LanguageModel {
  complete(model: string, request: ModelRequest, options: CallOptions): Promise<ModelAnswer>;
  /** What the server says that it has. Throws as `complete` does. */
  offered(signal: AbortSignal): Promise<readonly OfferedModel[]>;
}
