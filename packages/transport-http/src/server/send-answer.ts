import type { FastifyReply } from "fastify";
import type { HttpAnswer } from "./http-answer.ts";

/** Sends an answer with the headers that the reply has already, from CORS. Both may vary by something. */
export function sendAnswer(reply: FastifyReply, { status, headers, body }: HttpAnswer): void {
  const varies = headers["vary"] === undefined ? undefined : reply.getHeader("vary");
  reply.code(status).headers(headers);
  if (varies !== undefined) reply.header("vary", `${varies}, ${headers["vary"]}`);
  reply.send(body === "" ? undefined : body);
}
