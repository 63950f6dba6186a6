import {
  ArgumentsError,
  AskMismatchError,
  BaseDriftError,
  ChangesetRefusedError,
  DecisionNotFoundError,
  DigestMismatchError,
  DocumentError,
  EntryChangedError,
  EntryExistsError,
  EntryInUseError,
  EntryNotFoundError,
  FencedError,
  InvalidNameError,
  IsolationError,
  inWords,
  MergeConflictError,
  PlanConstrainedError,
  PlanNotFoundError,
  PlanStateError,
  ProjectChoiceError,
  SelectionError,
  SessionBusyError,
  SessionExistsError,
  SessionNotFoundError,
  SessionStateError,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskStateError,
  TooManySessionsError,
  UnknownProfileError,
} from "@cleveragents/domain";
import { type FieldViolation, type MethodRow, ProtocolError } from "@cleveragents/protocol";
import { LspUnavailableError } from "../ports/code-intelligence.ts";
import { McpUnavailableError } from "../ports/mcp-discovery.ts";
import { McpLoginUnknownError } from "../ports/mcp-login.ts";
import { storageErrorIn } from "../ports/storage-error.ts";
import { TrustRequiredError } from "../ports/trust.ts";
import { WorkspaceError } from "../ports/workspace.ts";

type Family = MethodRow["family"];

/**
 * The only place where an error of the domain or a port becomes something a peer may see. What is not named here is
 * `InternalError` with the catalogue's text; its cause stays with us.
 */
export function toProtocolError(thrown: unknown, family: Family): ProtocolError {
  if (ProtocolError.is(thrown)) return thrown;
  return (
    invalidParams(thrown) ??
    notFound(thrown, family) ??
    refused(thrown, family) ??
    unavailable(thrown) ??
    new ProtocolError("InternalError", { cause: thrown })
  );
}

function invalidParams(thrown: unknown): ProtocolError | undefined {
  const answer = (violations: readonly FieldViolation[], hint?: string, reason?: string) =>
    new ProtocolError("InvalidParams", {
      violations,
      cause: thrown,
      ...(hint === undefined ? {} : { hint }),
      ...(reason === undefined ? {} : { reason }),
    });
  if (thrown instanceof ArgumentsError) {
    return answer(
      thrown.problems.map(({ argument, problem }) => ({
        field: `arguments.${argument}`,
        description: problem,
      })),
      `agents action show ${thrown.action} lists its arguments`,
      "ARGUMENTS_INVALID",
    );
  }
  if (thrown instanceof InvalidNameError) return answer([{ field: "name", description: thrown.message }]);
  if (thrown instanceof UnknownProfileError) {
    return answer([
      {
        field: "automation_profile",
        description: `no profile "${thrown.profile}"; there are ${thrown.known.join(", ")}`,
      },
    ]);
  }
  if (thrown instanceof ProjectChoiceError) {
    const description =
      thrown.known.length === 0 ? "there is no project yet" : `name one of ${thrown.known.join(", ")}`;
    const hint =
      thrown.known.length === 0
        ? "register a folder first: agents project create NAME --path DIR"
        : "add --project NAME";
    return answer([{ field: "project", description }], hint, "PROJECT_REQUIRED");
  }
  if (thrown instanceof DocumentError) {
    const violations = thrown.problems.map(({ path, problem, line, column }) => ({
      field: path,
      description: problem,
      file: thrown.file,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    }));
    return new ProtocolError("InvalidParams", {
      reason: "DOCUMENT_INVALID",
      message: thrown.message,
      violations,
      cause: thrown,
    });
  }
  if (thrown instanceof AskMismatchError) {
    const details = thrown.openRequestId === undefined ? {} : { request_id: thrown.openRequestId };
    return new ProtocolError("InvalidParams", {
      reason: "ANSWER_MISMATCH",
      violations: [{ field: "message", description: thrown.why }],
      details: { plan_id: thrown.planId, ...details },
      cause: thrown,
    });
  }
  return undefined;
}

function notFound(thrown: unknown, family: Family): ProtocolError | undefined {
  if (thrown instanceof TaskNotFoundError)
    return new ProtocolError("TaskNotFound", { details: { taskId: thrown.taskId }, cause: thrown });
  if (thrown instanceof PlanNotFoundError) {
    return family === "a2a"
      ? new ProtocolError("TaskNotFound", { details: { taskId: thrown.planId }, cause: thrown })
      : new ProtocolError("PlanNotFound", {
          details: { plan_id: thrown.planId },
          hint: "agents plan list shows your plans",
          cause: thrown,
        });
  }
  if (thrown instanceof DecisionNotFoundError) {
    const { planId, decision, known } = thrown;
    return new ProtocolError("EntryNotFound", {
      reason: "DECISION_NOT_FOUND",
      message: `The plan has no decision ${decision}`,
      hint: `${known.length === 0 ? "" : `there are ${known.slice(0, 10).join(", ")}; `}agents plan tree ${planId} shows all of them`,
      details: { plan_id: planId, decision_id: decision },
      cause: thrown,
    });
  }
  if (thrown instanceof SessionNotFoundError) {
    return family === "a2a"
      ? new ProtocolError("InvalidParams", {
          violations: [{ field: "message.contextId", description: "no open session has this id" }],
          cause: thrown,
        })
      : new ProtocolError("SessionNotFound", { details: { session_id: thrown.sessionId }, cause: thrown });
  }
  if (thrown instanceof EntryNotFoundError) {
    const { kind, entry, known } = thrown;
    const message = `No ${inWords(kind)} ${entry}`;
    const hint =
      known.length === 0
        ? `there is no ${inWords(kind)} yet`
        : `there ${known.length === 1 ? "is" : "are"} ${known.slice(0, 10).join(", ")}`;
    return family === "a2a"
      ? new ProtocolError("InvalidParams", {
          violations: [{ field: kind, description: `${message.toLowerCase()}; ${hint}` }],
          cause: thrown,
        })
      : new ProtocolError("EntryNotFound", {
          reason: `${kind.toUpperCase()}_NOT_FOUND`,
          message,
          hint,
          details: { kind, name: entry },
          cause: thrown,
        });
  }
  return undefined;
}

function refused(thrown: unknown, family: Family): ProtocolError | undefined {
  const a2a = family === "a2a";
  if (thrown instanceof TaskNotCancelableError)
    return new ProtocolError("TaskNotCancelable", {
      details: { taskId: thrown.taskId, state: thrown.state },
      cause: thrown,
    });
  if (thrown instanceof TaskStateError) {
    const details = { taskId: thrown.taskId, state: thrown.state };
    return new ProtocolError(a2a ? "UnsupportedOperation" : "InvalidState", {
      message: thrown.why,
      details,
      cause: thrown,
    });
  }
  if (thrown instanceof SessionStateError) {
    const { sessionId, status, plans } = thrown;
    return new ProtocolError(a2a ? "UnsupportedOperation" : "InvalidState", {
      message: `The session is ${status}: ${thrown.why}`,
      details: { session_id: sessionId, status, ...(plans.length === 0 ? {} : { plans }) },
      ...(plans.length === 0
        ? {}
        : { hint: `agents plan status ${plans[0]} says what one of them waits for` }),
      cause: thrown,
    });
  }
  if (thrown instanceof SessionBusyError)
    return new ProtocolError(a2a ? "UnsupportedOperation" : "InvalidState", {
      reason: "SESSION_BUSY",
      message: `${thrown.waiting} messages of this session are not answered yet; wait for some of them`,
      details: { session_id: thrown.sessionId },
      cause: thrown,
    });
  if (thrown instanceof SessionExistsError)
    return new ProtocolError("AlreadyExists", {
      message: "A session has this id already",
      details: { session_id: thrown.sessionId },
      hint: "leave on_conflict out for another id",
      cause: thrown,
    });
  if (thrown instanceof TooManySessionsError)
    return new ProtocolError(a2a ? "UnsupportedOperation" : "TooManySessions", {
      reason: "TOO_MANY_SESSIONS",
      message: `You have ${thrown.limit} sessions in use, which is as many as may be`,
      details: { limit: thrown.limit },
      hint: "close one: agents session list, agents session close ID",
      cause: thrown,
    });
  if (thrown instanceof PlanStateError) {
    const { phase, state } = thrown.stage;
    const message = `The plan is ${phase}/${state}: ${thrown.why}`;
    return new ProtocolError(a2a ? "UnsupportedOperation" : "InvalidState", {
      message,
      details: { plan_id: thrown.planId, phase, state },
      cause: thrown,
    });
  }
  if (thrown instanceof FencedError) {
    return new ProtocolError(a2a ? "UnsupportedOperation" : "InvalidState", {
      message: "The task has just changed; look at it and try again",
      details: { taskId: thrown.taskId },
      cause: thrown,
    });
  }
  if (thrown instanceof DigestMismatchError) {
    const details = { plan_id: thrown.planId, expected: thrown.expected, found: thrown.actual };
    return new ProtocolError(a2a ? "UnsupportedOperation" : "DigestMismatch", {
      reason: "DIGEST_MISMATCH",
      details,
      hint: `agents plan diff ${thrown.planId} shows what the plan holds now`,
      cause: thrown,
    });
  }
  if (thrown instanceof BaseDriftError) {
    return new ProtocolError(a2a ? "UnsupportedOperation" : "BaseDrift", {
      reason: "PLAN_BASE_DRIFT",
      details: { plan_id: thrown.planId, files: thrown.files },
      hint: `merge with what changed, where it does not overlap: agents plan apply ${thrown.planId} --rebase; or bring these files back to what they were`,
      cause: thrown,
    });
  }
  if (thrown instanceof MergeConflictError) {
    return new ProtocolError(a2a ? "UnsupportedOperation" : "MergeConflict", {
      reason: "MERGE_CONFLICT",
      details: { plan_id: thrown.planId, files: thrown.conflicts },
      hint: `leave these files out with --exclude, or take over the patch by hand: agents plan diff ${thrown.planId}`,
      cause: thrown,
    });
  }
  if (thrown instanceof PlanConstrainedError) {
    return new ProtocolError(a2a ? "UnsupportedOperation" : "PlanConstrained", {
      reason: "VALIDATION_FAILED",
      message: `The plan is constrained: ${thrown.why}`,
      details: { plan_id: thrown.planId, checks: thrown.checks.map((check) => ({ ...check })) },
      hint: `look at it with agents plan status ${thrown.planId}, check again with agents plan execute ${thrown.planId}, or go back with agents plan revert ${thrown.planId}`,
      cause: thrown,
    });
  }
  if (thrown instanceof SelectionError) {
    return new ProtocolError("InvalidParams", {
      message: thrown.message,
      details: { plan_id: thrown.planId, ...(thrown.pattern === undefined ? {} : { glob: thrown.pattern }) },
      hint: `agents plan diff ${thrown.planId} --name-only shows what there is to choose from`,
      cause: thrown,
    });
  }
  if (thrown instanceof ChangesetRefusedError) {
    const details = { plan_id: thrown.planId, path: thrown.path };
    return new ProtocolError(a2a ? "UnsupportedOperation" : "ChangesetRefused", {
      reason: "CHANGESET_REFUSED",
      message: `${thrown.path}: ${thrown.why}`,
      details,
      hint: `agents plan apply ${thrown.planId} --exclude PATH applies the others, agents plan revert ${thrown.planId} has it done again`,
      cause: thrown,
    });
  }
  if (thrown instanceof EntryExistsError) {
    const { kind, entry } = thrown;
    return new ProtocolError("AlreadyExists", {
      message: thrown.message,
      details: { kind, name: entry },
      hint: kind === "project" ? "choose another name" : "add --update to replace it",
      cause: thrown,
    });
  }
  if (thrown instanceof EntryInUseError) {
    const { kind, entry, users, forcible } = thrown;
    return new ProtocolError("InvalidState", {
      reason: "ENTRY_IN_USE",
      message: thrown.message,
      details: { kind, name: entry, used_by: users },
      hint: forcible ? "add --force to remove these with it" : "change or remove these first",
      cause: thrown,
    });
  }
  if (thrown instanceof EntryChangedError) {
    const { kind, entry } = thrown;
    return new ProtocolError("InvalidState", {
      reason: "REVISION_MISMATCH",
      message: thrown.message,
      details: { kind, name: entry },
      hint: "look at it again, and send the revision that it has now",
      cause: thrown,
    });
  }
  if (thrown instanceof McpLoginUnknownError)
    return new ProtocolError("InvalidState", {
      reason: "LOGIN_NOT_FOUND",
      message: "No login was begun that ends so, or it took too long",
      hint: "begin it again: agents mcp login NAME",
      cause: thrown,
    });
  if (thrown instanceof TrustRequiredError) {
    const { kind, entry, digest, command } = thrown;
    return new ProtocolError("TrustRequired", {
      message: thrown.message,
      details: { kind, name: entry, digest, command },
      hint: command,
      cause: thrown,
    });
  }
  if (thrown instanceof LspUnavailableError)
    return new ProtocolError("ToolServerFailed", {
      reason: thrown.reason,
      message: thrown.message,
      details: { kind: "lsp", name: thrown.server },
      hint: `look at its command and environment: agents lsp show ${thrown.server}`,
      cause: thrown,
    });
  if (thrown instanceof McpUnavailableError)
    return new ProtocolError("ToolServerFailed", {
      reason: thrown.reason,
      message: thrown.message,
      details: { kind: "mcp", name: thrown.server },
      hint: `look at its command and environment: agents mcp show ${thrown.server}`,
      cause: thrown,
    });
  if (thrown instanceof IsolationError) {
    return new ProtocolError(a2a ? "UnsupportedOperation" : "IsolationUnavailable", {
      reason: "ISOLATION_UNAVAILABLE",
      message: thrown.message,
      hint: "make bubblewrap work on the agent's host and start the agent anew; agents health check says what is missing",
      details: {
        level: thrown.level,
        ...(thrown.demand === undefined ? {} : { demanded_by: thrown.demand }),
      },
      cause: thrown,
    });
  }
  if (thrown instanceof WorkspaceError) {
    return new ProtocolError(a2a ? "UnsupportedOperation" : "WorkspaceUnusable", {
      reason: thrown.reason,
      message: thrown.message,
      ...(thrown.hint === undefined ? {} : { hint: thrown.hint }),
      cause: thrown,
    });
  }
  return undefined;
}

/** The cause may go away by itself, so the caller is told which it is and that it may try again. */
function unavailable(thrown: unknown): ProtocolError | undefined {
  const found = storageErrorIn(thrown);
  if (found === undefined) return undefined;
  const { reason, summary, advice } = found;
  return new ProtocolError("StorageUnavailable", { reason, message: summary, hint: advice, cause: thrown });
}
