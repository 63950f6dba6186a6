/**
 * Every error that this product sends. `family` says on which methods: `any` may come from every method, `a2a` from
 * the standard ones (A2A §5.4), `cleveragents` from `_cleveragents/*` and session methods. Clients branch on `reason`.
 */
export interface ErrorEntry {
  readonly code: number;
  readonly httpStatus: number;
  readonly reason: string;
  readonly message: string;
  /** Whether the same request may succeed later without anything being changed by the caller. */
  readonly retryable: boolean;
  readonly family: "any" | "a2a" | "cleveragents";
}

function row(
  code: number,
  httpStatus: number,
  reason: string,
  message: string,
  family: ErrorEntry["family"],
  retryable = false,
): ErrorEntry {
  return { code, httpStatus, reason, message, family, retryable };
}

export const errorCatalog = {
  ParseError: row(-32700, 400, "PARSE_ERROR", "Invalid JSON payload", "any"),
  InvalidRequest: row(-32600, 400, "INVALID_REQUEST", "Request payload validation error", "any"),
  MethodNotFound: row(-32601, 404, "METHOD_NOT_FOUND", "Method not found", "any"),
  InvalidParams: row(-32602, 400, "INVALID_PARAMS", "Invalid parameters", "any"),
  InternalError: row(-32603, 500, "INTERNAL_ERROR", "Internal error", "any"),

  TaskNotFound: row(-32001, 404, "TASK_NOT_FOUND", "Task not found", "any"),
  TaskNotCancelable: row(-32002, 400, "TASK_NOT_CANCELABLE", "Task cannot be canceled", "a2a"),
  PushNotificationNotSupported: row(
    -32003,
    400,
    "PUSH_NOTIFICATION_NOT_SUPPORTED",
    "Push notifications are not supported",
    "a2a",
  ),
  UnsupportedOperation: row(-32004, 400, "UNSUPPORTED_OPERATION", "This operation is not supported", "a2a"),
  ContentTypeNotSupported: row(
    -32005,
    415,
    "CONTENT_TYPE_NOT_SUPPORTED",
    "Content type not supported",
    "a2a",
  ),
  ExtendedAgentCardNotConfigured: row(
    -32007,
    400,
    "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    "No extended agent card is configured",
    "a2a",
  ),
  VersionNotSupported: row(-32009, 400, "VERSION_NOT_SUPPORTED", "Protocol version not supported", "any"),
  AuthenticationRequired: row(-32000, 401, "AUTHENTICATION_REQUIRED", "Authentication required", "a2a"),
  PermissionDenied: row(-32000, 403, "PERMISSION_DENIED", "Permission denied", "a2a"),
  AuthenticationUnavailable: row(
    -32000,
    503,
    "AUTHENTICATION_UNAVAILABLE",
    "Who is calling cannot be told now; try again",
    "any",
    true,
  ),
  RequestTooLarge: row(-32000, 413, "REQUEST_TOO_LARGE", "Request too large", "any"),
  RequestCancelled: row(-32000, 499, "REQUEST_CANCELLED", "The caller stopped waiting", "any"),
  ShuttingDown: row(-32000, 503, "SHUTTING_DOWN", "The server is stopping; try again", "any", true),

  StorageUnavailable: row(
    -32000,
    503,
    "STORAGE_UNAVAILABLE",
    "The agent cannot write what it keeps; try again",
    "any",
    true,
  ),

  PlanNotFound: row(-32001, 404, "PLAN_NOT_FOUND", "Plan not found", "cleveragents"),
  EntryNotFound: row(-32001, 404, "ENTRY_NOT_FOUND", "Not found", "cleveragents"),
  SessionNotFound: row(-32001, 404, "SESSION_NOT_FOUND", "Session not found", "cleveragents"),
  Unauthenticated: row(-32002, 401, "AUTHENTICATION_REQUIRED", "Authentication required", "cleveragents"),
  Forbidden: row(-32003, 403, "PERMISSION_DENIED", "Permission denied", "cleveragents"),
  InvalidState: row(-32004, 409, "INVALID_STATE", "Not possible in the present state", "cleveragents"),
  TooManySessions: row(
    -32004,
    429,
    "TOO_MANY_SESSIONS",
    "As many sessions are in use as may be",
    "cleveragents",
    true,
  ),
  NothingOpen: row(-32004, 409, "NOTHING_TO_ANSWER", "Nothing is being asked", "cleveragents"),
  DigestMismatch: row(
    -32004,
    409,
    "DIGEST_MISMATCH",
    "The plan's changeset is not the one that was approved",
    "cleveragents",
  ),
  BaseDrift: row(-32004, 409, "PLAN_BASE_DRIFT", "Files changed since this plan was built", "cleveragents"),
  ChangesetRefused: row(
    -32004,
    409,
    "CHANGESET_REFUSED",
    "The changeset cannot be applied safely",
    "cleveragents",
  ),
  MergeConflict: row(
    -32004,
    409,
    "MERGE_CONFLICT",
    "The plan and the project changed the same files in ways that do not go together",
    "cleveragents",
  ),
  PlanConstrained: row(
    -32004,
    409,
    "VALIDATION_FAILED",
    "What has to hold before the plan's changes may be applied does not",
    "cleveragents",
  ),
  NotAvailable: row(-32004, 409, "NOT_AVAILABLE", "Not available in this mode", "cleveragents"),
  Timeout: row(-32004, 504, "TIMEOUT", "This took too long", "cleveragents", true),
  WorkspaceUnusable: row(
    -32004,
    409,
    "WORKSPACE_UNUSABLE",
    "This folder cannot be worked on",
    "cleveragents",
  ),
  IsolationUnavailable: row(
    -32004,
    409,
    "ISOLATION_UNAVAILABLE",
    "Commands cannot be isolated here as demanded",
    "cleveragents",
  ),
  TrustRequired: row(
    -32004,
    409,
    "TRUST_REQUIRED",
    "Nobody has consented to starting this as it is now",
    "cleveragents",
  ),
  ToolServerFailed: row(
    -32004,
    502,
    "TOOL_SERVER_FAILED",
    "The server that was to be started or reached cannot be used",
    "cleveragents",
  ),
  AlreadyExists: row(-32005, 409, "ALREADY_EXISTS", "Already exists", "cleveragents"),
  BudgetExceeded: row(-32006, 409, "BUDGET_EXCEEDED", "Budget exceeded", "cleveragents"),
  ExtensionVersionMismatch: row(
    -32007,
    400,
    "VERSION_MISMATCH",
    "No common version of the extension",
    "cleveragents",
  ),
  PlanFailed: row(-32008, 422, "PLAN_FAILED", "The plan failed", "cleveragents"),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorName = keyof typeof errorCatalog;
