import type { ServerResponse } from "node:http";
import type { Headers, HttpAnswer } from "./http-answer.ts";

/** Where an answer goes, and the headers that it has whatever it is (CORS). */
export interface Reply {
  readonly response: ServerResponse;
  readonly headers: Headers;
}

/** Sends an answer, in one piece. Its own headers count; both may say by what it varies. */
export function writeAnswer(to: Reply, { status, headers, body }: HttpAnswer): void {
  const { response, headers: inherited } = to;
  const all: Record<string, string | number> = { ...inherited, ...headers };
  if (inherited["vary"] !== undefined && headers["vary"] !== undefined)
    all["vary"] = `${inherited["vary"]}, ${headers["vary"]}`;
  if (body !== "" || (status !== 204 && status !== 304)) all["content-length"] = Buffer.byteLength(body);
  response.writeHead(status, all).end(body);
}
