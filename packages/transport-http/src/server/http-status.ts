import {
  type DispatchAnswer,
  type ErrorName,
  type ErrorObject,
  errorCatalog,
  type MethodRow,
} from "@cleveragents/protocol";

/**
 * An RPC error is an answer like any other; only what has nothing to say has no content (JSON-RPC 2.0 §4.1, §6). That the
 * caller may not do it is for proxies and browsers to see too (A2A §7.5).
 */
export function statusOfAnswer(answer: DispatchAnswer): 200 | 204 | 403 {
  if (answer.kind === "one" && "error" in answer.response && isDenial(answer.response.error)) return 403;
  return answer.kind === "none" || (answer.kind === "batch" && answer.responses.length === 0) ? 204 : 200;
}

/** What this layer itself refuses shows in the status as well, for proxies, load balancers and browsers. */
export function statusOfRefusal(name: ErrorName): number {
  return errorCatalog[name].httpStatus;
}

export function statusOfReadiness(ready: boolean): 200 | 503 {
  return ready ? 200 : 503;
}

/** Of a request that names no resource of ours: the path is unknown, or known and the verb is wrong. */
export function statusOfMiss(method: string, allowed: string | undefined): 204 | 404 | 405 {
  if (allowed === undefined) return 404;
  return method === "OPTIONS" ? 204 : 405;
}

/** Over HTTP+JSON an error's status is the catalogue's; a media type of a part is the caller's mistake (A2A §5.4). */
export function statusOfError(error: ErrorObject, family: MethodRow["family"]): number {
  const known = Object.values(errorCatalog).filter(
    (row) => row.code === error.code && (row.family === family || row.family === "any"),
  );
  const reason = reasonOf(error.data);
  const found = known.find((row) => row.reason === reason) ?? known[0];
  if (found === errorCatalog.ContentTypeNotSupported) return 400;
  return found?.httpStatus ?? 500;
}

function isDenial({ data }: ErrorObject): boolean {
  return reasonOf(data) === errorCatalog.PermissionDenied.reason;
}

/** The scope that a caller lacks, where that is why it was refused. */
export function missingScope({ data }: ErrorObject): string | undefined {
  const carrier: unknown = Array.isArray(data) ? (data[0] as { metadata?: unknown })?.metadata : data;
  const scope =
    typeof carrier === "object" && carrier !== null && "scope" in carrier ? carrier.scope : undefined;
  return typeof scope === "string" ? scope : undefined;
}

function reasonOf(data: unknown): unknown {
  const carrier = Array.isArray(data) ? data[0] : data;
  return typeof carrier === "object" && carrier !== null && "reason" in carrier ? carrier.reason : undefined;
}

/** A2A errors whose gRPC status is FAILED_PRECONDITION (A2A §5.4). */
const PRECONDITIONS: ReadonlySet<number> = new Set([-32002, -32003, -32004, -32007, -32008, -32009]);

const WORDS: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "FAILED_PRECONDITION",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** The `google.rpc.Code` beside an HTTP status. */
export function statusWord(code: number, status: number): string {
  if (status === 400 && PRECONDITIONS.has(code)) return "FAILED_PRECONDITION";
  return WORDS[status] ?? "INVALID_ARGUMENT";
}
