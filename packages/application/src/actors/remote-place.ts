import type { Message, RemotePlace } from "@cleveragents/domain";
import type { MessageTurn } from "../ports/message-actor.ts";

/** Where an answer says from which work elsewhere it has come, so that the next message goes on from there. */
export const REMOTE_PLACE = "urn:cleveragents:extensions:remote:v1";
/** Of earlier talk only the newest place is looked for. */
const LOOKED_BACK = 2000;

/** What was said before a credential was there is said now. */
export function toSay({ message, history }: MessageTurn): Message {
  let at = history.length - 1;
  while (at >= 2 && lastPlace(history.slice(at - 1, at))?.waits === "message") at -= 2;
  return history[at] ?? message;
}

/** Where work goes on, and what of it waits for a credential of ours: a message, or to be followed. */
type KnownPlace = RemotePlace & { readonly waits?: "message" | "work" };

export function placeOf({ contextId, taskId, asked }: KnownPlace): RemotePlace {
  return {
    ...(contextId === undefined ? {} : { contextId }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(asked === undefined ? {} : { asked }),
  };
}

/** Where this task, or the newest one before it in its context, has come to. */
export async function placeBefore(turn: MessageTurn): Promise<KnownPlace> {
  const own = lastPlace(turn.history);
  if (own !== undefined) return own;
  const earlier = lastPlace(await turn.earlier(LOOKED_BACK));
  return earlier?.contextId === undefined ? {} : { contextId: earlier.contextId };
}

function lastPlace(messages: readonly Message[]): KnownPlace | undefined {
  for (const { role, metadata } of messages.toReversed()) {
    const place = role === "agent" ? metadata?.[REMOTE_PLACE] : undefined;
    if (typeof place !== "object" || place === null || Array.isArray(place)) continue;
    const { context_id: contextId, task_id: taskId, waits } = place;
    return {
      ...(waits === "message" || waits === "work" ? { waits } : {}),
      ...(typeof contextId === "string" ? { contextId } : {}),
      ...(typeof taskId === "string" ? { taskId } : {}),
    };
  }
  return undefined;
}
