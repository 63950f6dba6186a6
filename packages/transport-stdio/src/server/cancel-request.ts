import { isRequestId, type JsonRpcRequest, type RequestId } from "@cleveragents/protocol";

/** The id in a `$/cancelRequest` notification, undefined for everything else. 0 and "" are ids. */
export function cancelledId(request: JsonRpcRequest): RequestId | undefined {
  if (request.method !== "$/cancelRequest" || request.id !== undefined) return undefined;
  const params = request.params;
  if (typeof params !== "object" || params === null || !("id" in params)) return undefined;
  return isRequestId(params.id) ? params.id : undefined;
}
