import { type Client, RESUME_EXTENSION, type ResultOf, type StreamItem } from "@cleveragents/protocol";

export type Item = StreamItem<ResultOf<"SubscribeToTask">>;
export type PlanStatus = ResultOf<"_cleveragents/plan/status">;

const REST: ReadonlySet<string> = new Set([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
]);

/** How long anything may take before a test gives up on it. */
export const PATIENCE_MS = 15_000;

/** The state that an element of a stream tells; undefined where it tells none. */
export function stateOf({ result }: Item): string | undefined {
  if ("task" in result) return result.task.status.state;
  return "statusUpdate" in result ? result.statusUpdate.status.state : undefined;
}

/** The domain event of an element, or undefined. */
export function eventOf({
  result,
}: Item): (Record<string, unknown> & { readonly event: string }) | undefined {
  const update =
    "statusUpdate" in result
      ? result.statusUpdate
      : "artifactUpdate" in result
        ? result.artifactUpdate
        : undefined;
  return update?.metadata?.["urn:cleveragents:extensions:v1"] as
    | (Record<string, unknown> & { event: string })
    | undefined;
}

/** Follows a task, also one that is over, until an element satisfies; all elements up to it. Throws if none does. */
export async function followUntil(
  client: Client,
  id: string,
  enough: (item: Item) => boolean,
  options: { readonly after?: string | undefined } = {},
): Promise<Item[]> {
  const items: Item[] = [];
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const after = options.after === undefined ? {} : { lastEventId: options.after };
  try {
    for await (const item of client.stream(
      "SubscribeToTask",
      { id },
      { extensions: [RESUME_EXTENSION], signal, ...after },
    )) {
      items.push(item);
      if (enough(item)) return items;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const seen = items.map((item) => `${stateOf(item) ?? "artifact"} ${eventOf(item)?.event ?? ""}`);
  throw new Error(`task ${id} did not do what was waited for; it did: ${seen.join(", ")}`);
}

/** Waits until a task is terminal or asks for something. */
export async function atRest(client: Client, id: string): Promise<PlanStatus> {
  await followUntil(client, id, (item) => REST.has(stateOf(item) ?? ""));
  return client.call("_cleveragents/plan/status", { plan_id: id });
}

/** Waits for a domain event that satisfies, past ones included. */
export async function seen(
  client: Client,
  id: string,
  event: string,
  holds: (data: Record<string, unknown>) => boolean = () => true,
): Promise<Item> {
  const items = await followUntil(
    client,
    id,
    (item) => {
      const found = eventOf(item);
      return found?.event === event && holds(found);
    },
    { after: `${id}:0` },
  );
  return items.at(-1) as Item; // followUntil ends with the one that satisfied
}

/** Every event that a task has logged so far. */
export async function logOf(client: Client, id: string): Promise<Item[]> {
  const [present] = await followUntil(client, id, () => true);
  const cursor = present?.cursor;
  if (cursor === `${id}:0`) return [];
  const items = await followUntil(client, id, (item) => item.cursor === cursor && !("task" in item.result), {
    after: `${id}:0`,
  });
  return items.slice(1);
}
