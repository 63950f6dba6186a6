/** What the exit code says; printed by `agents help exit-codes`. A superset of the a2a-cli specification's. */
export const EXIT = {
  OK: 0,
  FAILED: 1,
  USAGE: 2,
  UNREACHABLE: 3,
  AUTHENTICATION: 4,
  TIMEOUT: 5,
  CHANGES: 10,
  WAITING: 11,
  PLAN_FAILED: 12,
  APPLY_REFUSED: 13,
  BUDGET: 14,
  INTERRUPTED: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_CODE_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.OK, "the command did its job; an empty list is also 0"],
  [EXIT.FAILED, "it failed, and nothing below says more (not found, exists already, internal error)"],
  [EXIT.USAGE, "wrong usage: unknown command or flag, a missing or invalid argument"],
  [EXIT.UNREACHABLE, "the server could not be reached, or the connection was lost"],
  [EXIT.AUTHENTICATION, "not authenticated, or not allowed"],
  [EXIT.TIMEOUT, "no answer within the time; the plan itself goes on"],
  [EXIT.CHANGES, "plan diff --exit-code, plan execute --detailed-exitcode: there are changes"],
  [EXIT.WAITING, "the plan stopped because it waits for an answer of yours"],
  [EXIT.PLAN_FAILED, "the plan ended failed, rejected or cancelled"],
  [
    EXIT.APPLY_REFUSED,
    "apply refused: files changed meanwhile, another digest, an unsafe change, a failed check",
  ],
  [EXIT.BUDGET, "the budget is used up"],
  [EXIT.INTERRUPTED, "interrupted with Ctrl-C"],
];

/** Exit codes by the reason of an error that a peer answered; any other reason is {@link EXIT.FAILED}. */
const BY_REASON: Readonly<Record<string, ExitCode>> = {
  AUTHENTICATION_REQUIRED: EXIT.AUTHENTICATION,
  PERMISSION_DENIED: EXIT.AUTHENTICATION,
  SHUTTING_DOWN: EXIT.UNREACHABLE,
  TIMEOUT: EXIT.TIMEOUT,
  PLAN_FAILED: EXIT.PLAN_FAILED,
  DIGEST_MISMATCH: EXIT.APPLY_REFUSED,
  PLAN_BASE_DRIFT: EXIT.APPLY_REFUSED,
  CHANGESET_REFUSED: EXIT.APPLY_REFUSED,
  MERGE_CONFLICT: EXIT.APPLY_REFUSED,
  BRANCH_REFUSED: EXIT.APPLY_REFUSED,
  IDENTITY_MISSING: EXIT.APPLY_REFUSED,
  VALIDATION_FAILED: EXIT.APPLY_REFUSED,
  BUDGET_EXCEEDED: EXIT.BUDGET,
  // What a transport says when there was no answer.
  NOT_CONNECTED: EXIT.UNREACHABLE,
  CONNECTION_LOST: EXIT.UNREACHABLE,
  UNAUTHORIZED: EXIT.AUTHENTICATION,
  ABORTED: EXIT.INTERRUPTED,
};

/** JSON-RPC: invalid parameters, whose reason may say more. */
const INVALID_PARAMS = -32602;

export function exitCodeOfReason(reason: string, code?: number): ExitCode {
  if (Object.hasOwn(BY_REASON, reason)) return BY_REASON[reason] as ExitCode; // it is there
  return code === INVALID_PARAMS ? EXIT.USAGE : EXIT.FAILED;
}
