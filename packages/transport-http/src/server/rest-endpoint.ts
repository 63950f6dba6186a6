import type { IncomingMessage } from "node:http";
import {
  type CallContext,
  type ErrorName,
  type ProtocolErrorOptions,
  type RestCall,
  readJson,
  readQuery,
  readRestCall,
  readVersion,
  restMiss,
} from "@cleveragents/protocol";
import { A2A_TYPE, isReadable, restTypeOf } from "./content-type.ts";
import type { HttpAnswer } from "./http-answer.ts";
import { HttpCalls, type HttpCallsDeps, headersOf } from "./http-calls.ts";
import { missedRoute } from "./missed-route.ts";
import { restFormat } from "./rest-format.ts";
import { readServiceParameters } from "./service-parameters.ts";
import type { Reply } from "./write-answer.ts";

/** Where the binding is mounted. */
export const REST_ROOT = "/a2a/rest";

type Refused = { readonly refused: ErrorName; readonly options?: ProtocolErrorOptions };

/** HTTP+JSON (A2A §11): paths, queries and bodies become the parameters of the same methods. */
export class RestEndpoint {
  readonly #calls: HttpCalls;
  readonly #deps: HttpCallsDeps;

  constructor(deps: HttpCallsDeps) {
    this.#deps = deps;
    this.#calls = new HttpCalls(deps);
  }

  async handle(request: IncomingMessage, reply: Reply): Promise<void> {
    const { headers, method = "GET" } = request;
    const mediaType = restTypeOf(headers["content-type"], headers.accept);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const path = pathname.slice(REST_ROOT.length).replace(/(?<=.)\/$/, "");
    const asked = readRestCall(method, path);
    const named = readServiceParameters(request)["a2a-version"];
    const version = named === undefined ? (asked?.version ?? "1.0") : readVersion(named);
    const query = version === "0.3" ? camelCased(searchParams) : searchParams;
    const format = restFormat(mediaType, asked?.row.family ?? "a2a", version);
    await this.#calls.serve(reply, format, async () => {
      // A preflight never has credentials (Fetch §3.3.5).
      if (method === "OPTIONS") return missed(method, pathname, path);
      // Who may not come in is not told what there is.
      const principal = await this.#calls.principalOf(request, format);
      if ("status" in principal) return principal;
      if (asked === undefined) return missed(method, pathname, path);
      const params = await this.#paramsOf(asked, request, query, format);
      if (params === undefined || "status" in params) return params;
      if ("refused" in params) return format.refusal(params.refused, params.options);
      const call = this.#calls.begin(principal, request, reply.response);
      const answer = await this.#deps.dispatcher.dispatch(
        { kind: "call", request: { jsonrpc: "2.0", id: 0, method: asked.method, params: params.params } },
        withVersion(call.context, asked),
      );
      if (answer.kind === "stream")
        return this.#calls.stream(answer, headersOf(answer.serviceParameters), reply, call, format);
      // One request with an id has one answer.
      return answer.kind === "one"
        ? format.one(answer.response, headersOf(answer.serviceParameters))
        : format.refusal("InternalError");
    });
  }

  async #paramsOf(
    asked: RestCall,
    request: IncomingMessage,
    query: URLSearchParams,
    format: ReturnType<typeof restFormat>,
  ): Promise<{ readonly params: Record<string, unknown> } | Refused | HttpAnswer | undefined> {
    const fromPath: Record<string, unknown> = {
      ...asked.path,
      ...(asked.tenant === undefined ? {} : { tenant: asked.tenant }),
    };
    if (request.method !== "POST") return merge(readQuery(asked.row, query), fromPath);
    const body = await this.#calls.bodyOf(request, format);
    if (!Buffer.isBuffer(body)) return body;
    if (body.length === 0) return merge(readQuery(asked.row, query), fromPath);
    if (!isReadable(request.headers)) {
      const hint = `send ${A2A_TYPE} in UTF-8, not compressed`;
      return { refused: "ContentTypeNotSupported", options: { hint } };
    }
    const read = readJson(body);
    if (!("json" in read))
      return {
        refused: read.error,
        options: read.message === undefined ? {} : { message: read.message },
      };
    const json = read.json ?? {};
    if (typeof json !== "object" || Array.isArray(json))
      return { refused: "InvalidParams", options: { message: "The body must be a JSON object" } };
    return merge({ ...readQuery(asked.row, query), ...json }, fromPath);
  }
}

/** Proto-JSON of 0.3 is read in snake_case too, and so are the names of its queries. */
function camelCased(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    [...query].map(([name, value]): [string, string] => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/** Path, query and body are one set of parameters, and must not contradict each other. */
function merge(
  given: Record<string, unknown>,
  fromPath: Record<string, unknown>,
): { readonly params: Record<string, unknown> } | Refused {
  for (const [name, value] of Object.entries(fromPath)) {
    if (given[name] === undefined || given[name] === null || given[name] === "" || given[name] === value)
      continue;
    const violations = [{ field: name, description: "the path says something else" }];
    return { refused: "InvalidParams", options: { violations } };
  }
  return { params: { ...given, ...fromPath } };
}

/** The paths of the two versions differ, so that a caller who names none is understood by them. */
function withVersion(context: CallContext, asked: RestCall): CallContext {
  const given = context.serviceParameters["a2a-version"];
  const version = given ?? asked.version ?? "1.0";
  return {
    ...context,
    encoding: "http+json",
    serviceParameters: { ...context.serviceParameters, "a2a-version": version },
  };
}

function missed(verb: string, pathname: string, path: string): HttpAnswer {
  return missedRoute(verb, pathname, restMiss(path)?.concat("OPTIONS").join(", "));
}
