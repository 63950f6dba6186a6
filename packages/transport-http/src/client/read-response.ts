import { type JsonRpcResponse, parseJson, TransportError } from "@cleveragents/protocol";
import type { Exchange } from "./exchange.ts";

export function isEventStream(response: Response): boolean {
  return mediaType(response) === "text/event-stream";
}

/**
 * The JSON-RPC answer in a body, whatever the status: a refusal of the HTTP layer has one too. Throws UNAUTHORIZED,
 * NOT_CONNECTED (a proxy's 502 to 504) or BAD_RESPONSE, with what to look at, where the body is something else.
 */
export async function readJsonRpc(
  exchange: Exchange,
  response: Response,
  maxLength: number,
): Promise<JsonRpcResponse> {
  const isJson = /^application\/(?:[^;]*\+)?json$/.test(mediaType(response));
  const json = isJson ? parse(await readText(exchange, response, maxLength)) : undefined;
  if (isJsonRpc(json)) return json;
  const { status } = response;
  if (status === 401 || status === 403) {
    throw new TransportError(
      "UNAUTHORIZED",
      `${place(exchange)} answered ${status}: is the token or API key right?`,
    );
  }
  // What a proxy says while the agent behind it is being replaced: worth another try.
  const reason = status >= 502 && status <= 504 ? "NOT_CONNECTED" : "BAD_RESPONSE";
  throw new TransportError(reason, `${place(exchange)} answered ${status} ${hint(response, isJson)}`);
}

/** Whether this has the form of an answer; whether it is ours to take is the client's question. */
export function isJsonRpc(json: unknown): json is JsonRpcResponse {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
  return (json as { jsonrpc?: unknown }).jsonrpc === "2.0" && ("result" in json || "error" in json);
}

/** A body as text. Throws `TransportError` for one that breaks off, or is longer than `maxLength` characters. */
export async function readText(exchange: Exchange, response: Response, maxLength: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      text += decoder.decode(read.value, { stream: true });
      if (text.length > maxLength)
        throw new TransportError("BAD_RESPONSE", `the answer is longer than ${maxLength} characters`);
    }
  } catch (error) {
    throw exchange.failure(error, "in the answer");
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function hint(response: Response, isJson: boolean): string {
  const type = mediaType(response);
  const { status } = response;
  const location = response.headers.get("location");
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    return `with a redirect${location === null ? "" : ` to ${location}`}, which is not followed: use that URL`;
  }
  if (status === 204) return "without content, where an answer was due";
  if (status === 404 || status === 405) return "– is this the agent's JSON-RPC URL? Its card names it";
  if (type === "text/html")
    return "with an HTML page: a proxy or another server stands there, or the agent is down";
  return isJson
    ? "with JSON that is no JSON-RPC answer"
    : `with ${type === "" ? "no content type" : type} instead of JSON`;
}

function mediaType(response: Response): string {
  return (response.headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
}

function place({ url }: Exchange): string {
  return `${url.origin}${url.pathname}`;
}
