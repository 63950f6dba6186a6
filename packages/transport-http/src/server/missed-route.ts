import { preflightHeaders } from "./cors.ts";
import { type HttpAnswer, plainError } from "./http-answer.ts";
import { statusOfMiss } from "./http-status.ts";

/** A path that we do not have, or a verb that it does not take; `allow` is the known path's `Allow`. */
export function missedRoute(method: string, path: string, allow: string | undefined): HttpAnswer {
  const status = statusOfMiss(method, allow);
  const hint = path === "/" ? ": this is an A2A agent, whose card is at /.well-known/agent-card.json" : "";
  if (allow === undefined) return plainError(status, "NOT_FOUND", `there is nothing at ${path}${hint}`);
  if (status === 204) return { status, headers: { allow, ...preflightHeaders(allow) }, body: "" };
  return plainError(status, "METHOD_NOT_ALLOWED", `${path} takes ${allow}`, { allow });
}
