import { ulid } from "ulid";
import type { RequestId } from "../envelope/json-rpc.ts";

/** A request as library users build it; without an id it gets a ULID. */
export class A2aRequest {
  readonly jsonrpc = "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  constructor(init: {
    readonly method: string;
    readonly params?: Readonly<Record<string, unknown>>;
    readonly id?: RequestId;
  }) {
    if (init.method.trim() === "") throw new TypeError("method must not be blank");
    this.id = init.id === undefined || init.id === "" ? ulid() : init.id;
    this.method = init.method;
    this.params = init.params ?? {};
  }
}

export interface A2aErrorDetail {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A response: exactly one of `result` and `error` is there. */
export class A2aResponse {
  readonly jsonrpc = "2.0";
  readonly id: RequestId;
  readonly result: unknown;
  readonly error: A2aErrorDetail | undefined;
  constructor(init: {
    readonly id: RequestId;
    readonly result?: unknown;
    readonly error?: A2aErrorDetail | undefined;
  }) {
    if ((init.result === undefined) === (init.error === undefined))
      throw new TypeError("a response has exactly one of result and error");
    this.id = init.id;
    this.result = init.result;
    this.error = init.error;
  }
}

export const TASK_STATUS_UPDATE = "TaskStatusUpdateEvent";
export const TASK_ARTIFACT_UPDATE = "TaskArtifactUpdateEvent";
export type A2aEventType = typeof TASK_STATUS_UPDATE | typeof TASK_ARTIFACT_UPDATE;

/** An event as in-process subscribers see it. */
export class A2aEvent {
  readonly event_id: string;
  readonly event_type: A2aEventType;
  readonly plan_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  constructor(init: {
    readonly event_type: A2aEventType;
    readonly plan_id?: string | null;
    readonly data?: Readonly<Record<string, unknown>>;
    readonly event_id?: string;
    readonly timestamp?: string;
  }) {
    this.event_id = init.event_id ?? ulid();
    this.event_type = init.event_type;
    this.plan_id = init.plan_id ?? null;
    this.data = init.data ?? {};
    this.timestamp = init.timestamp ?? new Date().toISOString();
  }
}
