import { type DispatchAnswer, type ErrorName, errorCatalog } from "@cleveragents/protocol";

/** An RPC error is an answer like any other; only what has nothing to say has no content (JSON-RPC 2.0 §4.1, §6). */
export function statusOfAnswer(answer: DispatchAnswer): 200 | 204 {
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
