import type { JsonObject } from "@cleveragents/domain";

/** What fills a slot of a skill. */
export interface BoundResource {
  readonly slot: string;
  /** As the plan knows it, relative to its copy. */
  readonly path: string;
  readonly access: "read_only" | "read_write";
}

/** One thing that was called while a skill was carried out. */
export interface ToolInvocationRecord {
  readonly tool: string;
  readonly args: JsonObject;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly outcome: "done" | "failed" | "cancelled";
  readonly detail?: string;
}

/** The state of one skill that is being carried out. */
export class SkillContext {
  readonly sessionId: string;
  readonly planId: string;
  readonly boundResources: readonly BoundResource[];
  /** Fires when whoever carries the skill out is to stop. */
  readonly cancellationToken: AbortSignal;
  readonly #history: ToolInvocationRecord[] = [];

  constructor(of: {
    readonly sessionId: string;
    readonly planId: string;
    readonly boundResources?: readonly BoundResource[];
    readonly cancellationToken: AbortSignal;
  }) {
    this.sessionId = of.sessionId;
    this.planId = of.planId;
    this.boundResources = of.boundResources ?? [];
    this.cancellationToken = of.cancellationToken;
  }

  /** Oldest first. */
  get invocationHistory(): readonly ToolInvocationRecord[] {
    return this.#history;
  }

  record(invocation: ToolInvocationRecord): void {
    this.#history.push(invocation);
  }
}
