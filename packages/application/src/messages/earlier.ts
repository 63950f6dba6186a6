import type { JsonObject, Message, Part } from "@cleveragents/domain";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskCursor, TaskSnapshot, TaskStore } from "../ports/task-store.ts";

const PAGE = 20;
/** However short they are: nobody reads more of them. */
const MOST_EXCHANGES = 500;

export interface EarlierDeps {
  readonly store: Pick<TaskStore, "list" | "snapshot">;
  readonly sessions?: Pick<SessionStore, "record"> | undefined;
}

/** A message of the user's and what was said to it, oldest first. */
type Exchange = readonly Message[];

/**
 * What was said in a context besides one task, oldest first: the newest exchanges that fit into so many tokens, and
 * nothing older than the first that does not, so that there is no gap.
 */
export async function earlier(
  deps: EarlierDeps,
  of: { readonly principal: string; readonly contextId: string; readonly taskId: string },
  tokens: number,
): Promise<readonly Message[]> {
  const fitting: Exchange[] = [];
  let left = tokens;
  for await (const exchange of newestFirst(deps, of)) {
    left -= exchange.reduce((sum, message) => sum + tokensOf(message), 0);
    if (left < 0 || fitting.length >= MOST_EXCHANGES) break;
    fitting.push(exchange);
  }
  return fitting.reverse().flat();
}

async function* newestFirst(
  { store, sessions }: EarlierDeps,
  {
    principal,
    contextId,
    taskId,
  }: { readonly principal: string; readonly contextId: string; readonly taskId: string },
): AsyncGenerator<Exchange> {
  let cursor: TaskCursor | undefined;
  do {
    const page = await store.list({
      principal,
      contextId,
      kind: "message",
      states: ["completed", "failed", "rejected", "canceled", "input-required", "auth-required"],
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const row of page.rows) {
      if (row.taskId === taskId) continue;
      const snapshot = await store.snapshot(row.taskId, { artifacts: true });
      if (snapshot !== undefined) yield* exchangesOf(saidIn(snapshot)).reverse();
    }
    cursor = page.next;
  } while (cursor !== undefined);
  yield* exchangesOf(saidElsewhere(await sessions?.record(contextId))).reverse();
}

/** What came with a session that was imported. */
export function saidElsewhere(record: JsonObject | undefined): readonly Message[] {
  return (record?.["messages"] ?? []) as unknown as readonly Message[]; // written by the import alone
}

/** A task's messages; what was answered in artifacts alone counts as said. */
export function saidIn({ row, history, artifacts }: TaskSnapshot): readonly Message[] {
  const answered = history.at(-1)?.role === "agent" || artifacts.length === 0;
  if (answered) return history;
  const message: Message = {
    messageId: `${row.taskId}/artifacts`,
    role: "agent",
    taskId: row.taskId,
    contextId: row.contextId,
    parts: artifacts.flatMap(({ parts }) => parts),
  };
  return [...history, message];
}

/** What an agent says before anybody has asked is an exchange of its own. */
function exchangesOf(messages: readonly Message[]): Exchange[] {
  const exchanges: Message[][] = [];
  for (const message of messages) {
    const open = exchanges.at(-1);
    if (message.role === "user" && open?.at(-1)?.role !== "user") exchanges.push([message]);
    else if (open === undefined) exchanges.push([message]);
    else open.push(message);
  }
  return exchanges;
}

/** About how many tokens a model reads a message as: one for four bytes, and some for saying whose it is. */
function tokensOf({ parts }: Pick<Message, "parts">): number {
  return 4 + parts.reduce((sum, part) => sum + Math.ceil(lengthOf(part) / 4), 0);
}

const UTF8 = new TextEncoder();

function lengthOf(part: Part): number {
  switch (part.kind) {
    case "text":
      return UTF8.encode(part.text).length;
    case "bytes":
      return part.bytes.length;
    case "url":
      return part.url.length;
    case "data":
      return UTF8.encode(JSON.stringify(part.data satisfies JsonObject[string])).length;
  }
}
