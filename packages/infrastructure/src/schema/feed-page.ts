import type { FedEvent, FeedFilter, FeedPage, FeedPosition } from "@cleveragents/application";
import type { TaskEvent } from "@cleveragents/domain";

/** How many events of all tasks are looked at for one page. */
export const FEED_ROWS = 200;
/** About how much text of them one page holds. */
export const FEED_CHARACTERS = 1024 * 1024;

export interface FeedRow {
  readonly position: number;
  readonly taskId: string;
  readonly seq: number;
  readonly key: string;
  readonly at: number;
  /** Need not be there for an event of somebody else's. */
  readonly body: string;
  readonly principal: string;
  readonly contextId: string;
}

/** The page that these rows are, which come in the order of the feed; cut where it would hold too much text. */
export function feedPage(
  rows: readonly FeedRow[],
  after: FeedPosition,
  { principal, contextId }: FeedFilter,
  ahead: FeedPage["ahead"],
): FeedPage {
  const events: FedEvent[] = [];
  let next = after;
  let size = 0;
  for (const row of rows) {
    const wanted =
      (principal === null || row.principal === principal) &&
      (contextId === undefined || row.contextId === contextId);
    if (wanted) {
      size += row.body.length;
      if (events.length > 0 && size > FEED_CHARACTERS) return { events, next, ahead: "more" };
      events.push({ position: positionOf(row), contextId: row.contextId, logged: loggedOf(row) });
    }
    next = positionOf(row);
  }
  return { events, next, ahead };
}

function positionOf({ position, taskId, seq }: FeedRow): FeedPosition {
  return { at: position, taskId, seq };
}

function loggedOf({ taskId, seq, key, at, body }: FeedRow): FedEvent["logged"] {
  return { taskId, seq, key, at, event: JSON.parse(body) as TaskEvent };
}
