import type { IncomingMessage } from "node:http";
import { encodeSseEvent, readVersion } from "@cleveragents/protocol";
import type { HttpAnswer } from "./http-answer.ts";

/**
 * Whether a refusal is to be an event: A2A 0.3 answers a streaming method with nothing but events (its §7), and clients
 * of its time that ask for events cannot read anything else. Under 1.0 a stream that cannot begin is an answer in JSON.
 */
export function wantsOnlyEvents({ headers }: IncomingMessage, version: string | undefined): boolean {
  const legacy = version === undefined || readVersion(version) === "0.3";
  return legacy && headers.accept?.split(";")[0]?.trim().toLowerCase() === "text/event-stream";
}

/** A whole answer as a stream of one event. */
export function asOnlyEvent({ status, headers, body }: HttpAnswer): HttpAnswer {
  const stream = { "content-type": "text/event-stream", "cache-control": "no-store, no-transform" };
  return { status, headers: { ...headers, ...stream }, body: encodeSseEvent({ data: body }) };
}
