import type { JsonObject } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import type { TaskCursor } from "../ports/task-store.ts";

/**
 * Tokens of lists: opaque to callers. A token belongs to one caller and one set of filters (`list`), and one of another
 * list, or none of ours, is a mistake of theirs.
 */
export function encodeCursor(cursor: TaskCursor | undefined, list: JsonObject): string {
  return cursor === undefined
    ? ""
    : btoa(JSON.stringify([cursor.statusAt, cursor.taskId, fingerprint(list)])).replace(/=+$/, "");
}

/** Undefined for an absent or empty token. Throws `InvalidParams` naming the field. */
export function decodeCursor(
  token: string | undefined,
  field: string,
  list: JsonObject,
): TaskCursor | undefined {
  if (token === undefined || token === "") return undefined;
  try {
    const raw: unknown = JSON.parse(atob(token));
    if (
      Array.isArray(raw) &&
      raw.length === 3 &&
      Number.isSafeInteger(raw[0]) &&
      typeof raw[1] === "string" &&
      raw[2] === fingerprint(list)
    ) {
      return { statusAt: raw[0] as number, taskId: raw[1] };
    }
  } catch {
    // falls through to the one answer for every broken token
  }
  throw badToken(field);
}

/** Tells lists apart (FNV-1a); it keeps nothing secret, since every read asks whose the tasks are. */
function fingerprint(list: JsonObject): number {
  let hash = 0x811c9dc5;
  for (const unit of JSON.stringify(list))
    hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

export function badToken(field: string): ProtocolError {
  return new ProtocolError("InvalidParams", {
    violations: [{ field, description: "not a token of this list; leave it out to begin anew" }],
  });
}

/** One page of a list that is small enough to be in memory; tokens are positions by name. */
export function pageByName<T extends { readonly name: string }>(
  all: readonly T[],
  page: { readonly page_size?: number | undefined; readonly page_token?: string | undefined },
): { readonly items: readonly T[]; readonly total: number; readonly next_page_token: string } {
  const size = page.page_size ?? 100;
  const after = page.page_token === undefined || page.page_token === "" ? undefined : nameOf(page.page_token);
  const from = after === undefined ? 0 : all.findIndex((item) => item.name > after);
  const items = from < 0 ? [] : all.slice(from, from + size);
  const more = from >= 0 && from + size < all.length;
  return {
    items,
    total: all.length,
    next_page_token: more ? `n.${btoa(encodeURIComponent(items.at(-1)?.name ?? ""))}` : "",
  };
}

function nameOf(token: string): string {
  try {
    if (token.startsWith("n.")) return decodeURIComponent(atob(token.slice(2)));
  } catch {
    // falls through to the one answer for every broken token
  }
  throw badToken("page_token");
}
