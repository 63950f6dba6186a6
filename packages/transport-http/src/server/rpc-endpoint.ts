import type { IncomingMessage } from "node:http";
import type { DispatchAnswer, JsonRpcResponse } from "@cleveragents/protocol";
import { isReadable } from "./content-type.ts";
import { insufficientScope } from "./credentials.ts";
import { type Headers, type HttpAnswer, jsonAnswer } from "./http-answer.ts";
import { HttpCalls, type HttpCallsDeps, headersOf } from "./http-calls.ts";
import { missingScope, statusOfAnswer } from "./http-status.ts";
import { jsonRpcFormat } from "./json-rpc-format.ts";
import { asOnlyEvent, wantsOnlyEvents } from "./only-events.ts";
import { refusal } from "./refusal.ts";
import { resultJson } from "./result-json.ts";
import type { Reply } from "./write-answer.ts";

/** The life of one JSON-RPC request over HTTP: who calls, what they sent, the answer or the stream. */
export class RpcEndpoint {
  readonly #calls: HttpCalls;
  readonly #deps: HttpCallsDeps;

  constructor(deps: HttpCallsDeps) {
    this.#deps = deps;
    this.#calls = new HttpCalls(deps);
  }

  handle(request: IncomingMessage, reply: Reply): Promise<void> {
    return this.#calls.serve(reply, jsonRpcFormat, () => this.#answer(request, reply));
  }

  async #answer(request: IncomingMessage, reply: Reply): Promise<HttpAnswer | undefined> {
    const principal = await this.#calls.principalOf(request, jsonRpcFormat);
    if ("status" in principal) return principal;
    if (!isReadable(request.headers)) {
      return refusal(
        "ContentTypeNotSupported",
        { hint: "send application/json in UTF-8, not compressed" },
        { accept: "application/json, application/a2a+json", "accept-encoding": "identity" },
      );
    }
    const body = await this.#calls.bodyOf(request, jsonRpcFormat);
    if (!Buffer.isBuffer(body)) return body;
    const call = this.#calls.begin(principal, request, reply.response);
    const answer = await this.#deps.dispatcher.dispatch(body, call.context);
    const headers = answer.kind === "none" ? {} : headersOf(answer.serviceParameters);
    if (answer.kind === "stream") return this.#calls.stream(answer, headers, reply, call, jsonRpcFormat);
    const json = asJson(answer, headers);
    const refused = answer.kind === "one" && "error" in answer.response && json.status === 200;
    const version = call.context.serviceParameters["a2a-version"];
    return refused && wantsOnlyEvents(request, version) ? asOnlyEvent(json) : json;
  }
}

function asJson(answer: Exclude<DispatchAnswer, { kind: "stream" }>, headers: Headers): HttpAnswer {
  const status = statusOfAnswer(answer);
  if (status === 204 || answer.kind === "none") return { status, headers, body: "" };
  const body = answer.kind === "one" ? textOf(answer.response) : JSON.stringify(answer.responses);
  if (status !== 403 || answer.kind !== "one" || !("error" in answer.response))
    return jsonAnswer(status, body, headers);
  const challenge = insufficientScope(missingScope(answer.response.error));
  return jsonAnswer(status, body, { ...headers, "www-authenticate": challenge });
}

function textOf(response: JsonRpcResponse): string {
  if ("error" in response || response.result === undefined) return JSON.stringify(response);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(response.id)},"result":${resultJson(response.result)}}`;
}
