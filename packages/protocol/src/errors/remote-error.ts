import type { ErrorObject, FieldViolation } from "./protocol-error.ts";

const MARK = Symbol.for("cleveragents.remote-error");

/** An error that a peer answered. `reason` is found in either shape of `data`, else derived from the code. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  readonly code: number;
  readonly reason: string;
  readonly hint: string | undefined;
  readonly data: unknown;
  readonly violations: readonly FieldViolation[];
  readonly [MARK] = true;

  constructor(error: ErrorObject) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
    const details = detailsOf(error.data);
    const info = details.find((d) => typeof d["reason"] === "string");
    const own = isRecord(error.data) ? error.data : {};
    this.reason =
      text(own["reason"]) ?? text(info?.["reason"]) ?? REASON_OF_CODE.get(error.code) ?? "UNKNOWN";
    const metadata = info?.["metadata"];
    this.hint = text(own["hint"]) ?? (isRecord(metadata) ? text(metadata["hint"]) : undefined);
    this.violations = details.flatMap((d) =>
      Array.isArray(d["fieldViolations"]) ? (d["fieldViolations"] as FieldViolation[]) : [],
    );
  }

  static is(value: unknown): value is RemoteError {
    return typeof value === "object" && value !== null && MARK in value;
  }
}

/** What a bare code means when a peer gives no reason; the documents' other numbers are understood, never sent. */
const REASON_OF_CODE: ReadonlyMap<number, string> = new Map([
  [-32700, "PARSE_ERROR"],
  [-32600, "INVALID_REQUEST"],
  [-32601, "METHOD_NOT_FOUND"],
  [-32602, "INVALID_PARAMS"],
  [-32603, "INTERNAL_ERROR"],
  [-32001, "NOT_FOUND"],
  [-32009, "VERSION_NOT_SUPPORTED"],
  [-32100, "SESSION_NOT_FOUND"],
  [-32101, "SESSION_EXPIRED"],
  [-32102, "TOO_MANY_SESSIONS"],
]);

function detailsOf(data: unknown): Record<string, unknown>[] {
  const list = Array.isArray(data)
    ? data
    : isRecord(data) && Array.isArray(data["details"])
      ? data["details"]
      : [];
  return list.filter(isRecord);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
