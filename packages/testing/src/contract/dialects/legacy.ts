import type { Caller } from "../../harness/harness.ts";
import { requestText } from "../envelope/text.ts";

/** Without a version a request is one of A2A 0.3. */
export const NO_VERSION = {};

export interface LegacyTask {
  readonly kind: "task";
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string };
}

/** The answer of a method by its old name. */
export function legacy(caller: Caller, method: string, params: unknown): Promise<unknown> {
  return caller.raw(requestText(method, params), NO_VERSION);
}

/** Its result; fails the test where it was refused. */
export async function legacyResult<T = LegacyTask>(
  caller: Caller,
  method: string,
  params: unknown,
): Promise<T> {
  const answer = (await legacy(caller, method, params)) as { result?: T; error?: unknown };
  if (answer.result === undefined) throw new Error(`${method} was refused: ${JSON.stringify(answer.error)}`);
  return answer.result;
}

let messages = 0;

/** A message to the letter of 0.3. */
export function legacyMessage(parts: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) {
  return { kind: "message", messageId: `old-${++messages}`, role: "user", parts, ...more };
}

export const text = (words: string) => ({ kind: "text", text: words });

/** A part that starts a plan of a test action. */
export function callPart(action: string, profile: string) {
  return { kind: "data", data: { action_name: action, project: "demo", automation_profile: profile } };
}
