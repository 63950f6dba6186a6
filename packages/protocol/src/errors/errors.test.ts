import { expect, test } from "vitest";
import { errorCatalog } from "./error-catalog.ts";
import { ProtocolError, toErrorObject } from "./protocol-error.ts";
import { RemoteError } from "./remote-error.ts";

const context = { requestId: "r1", timestamp: "2026-01-01T00:00:00.000Z" };

test("codes and reasons that peers rely on", () => {
  expect(
    Object.fromEntries(
      Object.entries(errorCatalog).map(([name, { code, reason }]) => [name, `${code} ${reason}`]),
    ),
  ).toMatchObject({
    ParseError: "-32700 PARSE_ERROR",
    InvalidRequest: "-32600 INVALID_REQUEST",
    MethodNotFound: "-32601 METHOD_NOT_FOUND",
    InvalidParams: "-32602 INVALID_PARAMS",
    InternalError: "-32603 INTERNAL_ERROR",
    TaskNotFound: "-32001 TASK_NOT_FOUND",
    TaskNotCancelable: "-32002 TASK_NOT_CANCELABLE",
    UnsupportedOperation: "-32004 UNSUPPORTED_OPERATION",
    VersionNotSupported: "-32009 VERSION_NOT_SUPPORTED",
    AuthenticationRequired: "-32000 AUTHENTICATION_REQUIRED",
    PermissionDenied: "-32000 PERMISSION_DENIED",
    StorageUnavailable: "-32000 STORAGE_UNAVAILABLE",
    PlanNotFound: "-32001 PLAN_NOT_FOUND",
    Unauthenticated: "-32002 AUTHENTICATION_REQUIRED",
    Forbidden: "-32003 PERMISSION_DENIED",
    InvalidState: "-32004 INVALID_STATE",
    NotAvailable: "-32004 NOT_AVAILABLE",
    AlreadyExists: "-32005 ALREADY_EXISTS",
    BudgetExceeded: "-32006 BUDGET_EXCEEDED",
    ExtensionVersionMismatch: "-32007 VERSION_MISMATCH",
    PlanFailed: "-32008 PLAN_FAILED",
  });
});

test("on standard methods data is a list of details as A2A §9.5 has it", () => {
  const error = new ProtocolError("InvalidParams", {
    details: { taskId: "t" },
    violations: [{ field: "id", description: "required" }],
  });
  expect(toErrorObject(error, { family: "a2a", ...context })).toEqual({
    code: -32602,
    message: "Invalid parameters",
    data: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "INVALID_PARAMS",
        domain: "a2a-protocol.org",
        metadata: { taskId: "t", requestId: "r1", timestamp: context.timestamp },
      },
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: "id", description: "required" }],
      },
    ],
  });
});

test("on the platform's methods data is an object with the ids, the reason and the same details", () => {
  const error = new ProtocolError("PlanNotFound", { details: { plan_id: "p" }, hint: "list them" });
  expect(toErrorObject(error, { family: "cleveragents", ...context })).toEqual({
    code: -32001,
    message: "Plan not found",
    data: {
      plan_id: "p",
      hint: "list them",
      reason: "PLAN_NOT_FOUND",
      request_id: "r1",
      timestamp: context.timestamp,
      details: [expect.objectContaining({ domain: "cleveragents", reason: "PLAN_NOT_FOUND" })],
    },
  });
});

test.each(["a2a", "cleveragents"] as const)(
  "our client finds reason, hint and violations in the %s shape",
  (family) => {
    const error = new ProtocolError("InvalidParams", {
      reason: "MINE",
      hint: "do this",
      violations: [{ field: "a", description: "b" }],
    });
    expect(new RemoteError(toErrorObject(error, { family, ...context }))).toMatchObject({
      code: -32602,
      reason: "MINE",
      hint: "do this",
      violations: [{ field: "a", description: "b" }],
    });
  },
);

test("an error of a foreign server is understood by its code alone", () => {
  expect(new RemoteError({ code: -32100, message: "gone" }).reason).toBe("SESSION_NOT_FOUND");
  expect(new RemoteError({ code: -1, message: "odd", data: 5 }).reason).toBe("UNKNOWN");
});

test("an error of another copy of this package is recognised", () => {
  const foreign = Object.assign(new Error("x"), { [Symbol.for("cleveragents.protocol-error")]: true });
  expect(ProtocolError.is(foreign)).toBe(true);
  expect(ProtocolError.is(new Error("x"))).toBe(false);
});
