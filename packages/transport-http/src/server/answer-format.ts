import type { ErrorName, JsonRpcResponse, ProtocolErrorOptions, RequestId } from "@cleveragents/protocol";
import type { Headers, HttpAnswer } from "./http-answer.ts";

/** How a binding over HTTP writes down what the dispatcher answers. */
export interface AnswerFormat {
  /** A whole answer. */
  one(response: JsonRpcResponse, headers: Headers): HttpAnswer;
  /** Puts `result`, JSON already, into what an element of the stream of this call is. */
  element(id: RequestId, result: string): string;
  /** The last event of a stream that failed, as JSON. */
  failure(response: JsonRpcResponse): string;
  /** What this layer itself refuses. */
  refusal(name: ErrorName, options?: ProtocolErrorOptions, headers?: Headers, requestId?: string): HttpAnswer;
}
