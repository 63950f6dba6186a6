import type { AnswerFormat } from "./answer-format.ts";
import { jsonAnswer } from "./http-answer.ts";
import { refusal } from "./refusal.ts";

/** JSON-RPC over HTTP (A2A §9): an error is an answer like any other. */
export const jsonRpcFormat: AnswerFormat = {
  one: (response, headers) => jsonAnswer(200, JSON.stringify(response), headers),
  element: (id, result) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`,
  failure: (response) => JSON.stringify(response),
  refusal,
};
