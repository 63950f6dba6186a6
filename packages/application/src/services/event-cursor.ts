import { ProtocolError } from "@cleveragents/protocol";
import type { FeedPosition } from "../ports/task-store.ts";

/** `task`: an event in the log of one task. `feed`: a place in the order of all events. */
export type EventCursor =
  | { readonly kind: "task"; readonly taskId: string; readonly seq: number }
  | ({ readonly kind: "feed" } & FeedPosition);

/** Opaque to callers, in the letters of base64url. It keeps nothing secret: every read asks whose the tasks are. */
export function encodeEventCursor(cursor: EventCursor): string {
  const { kind, taskId, seq } = cursor;
  const members = kind === "task" ? [taskId, seq] : [taskId, seq, cursor.at];
  const text = toBytes(JSON.stringify(members));
  return btoa(`${checksum(text)}.${text}`)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Throws `InvalidParams` naming the field for what is no cursor of ours, or is one of the other kind. */
export function decodeEventCursor<K extends EventCursor["kind"]>(
  cursor: string,
  field: string,
  kind: K,
): Extract<EventCursor, { kind: K }> {
  const read = parse(cursor);
  if (read?.kind === kind) return read as Extract<EventCursor, { kind: K }>; // just compared
  throw badEventCursor(field);
}

export function badEventCursor(field: string): ProtocolError {
  return new ProtocolError("InvalidParams", {
    violations: [
      { field, description: "not a cursor of such a subscription; leave it out to begin with now" },
    ],
  });
}

function parse(cursor: string): EventCursor | undefined {
  try {
    const [, sum, text = ""] =
      /^(\w+)\.(.*)$/s.exec(atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))) ?? [];
    if (sum !== checksum(text)) return undefined;
    const members: unknown = JSON.parse(fromBytes(text));
    if (!Array.isArray(members)) return undefined;
    const [taskId, seq, at] = members as readonly unknown[];
    if (typeof taskId !== "string" || !isNumber(seq)) return undefined;
    if (members.length === 2) return { kind: "task", taskId, seq };
    return members.length === 3 && isNumber(at) ? { kind: "feed", taskId, seq, at } : undefined;
  } catch {
    return undefined; // not even base64
  }
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** UTF-8 as a string of bytes, which is what base64 is made of. */
function toBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

function fromBytes(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** Tells ours from what somebody has typed or cut off (FNV-1a). */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (const unit of text) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36);
}
