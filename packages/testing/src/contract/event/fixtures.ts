import type { ParamsInputOf, ResultOf, StreamItem } from "@cleveragents/protocol";
import type { Caller } from "../../harness/harness.ts";
import { PATIENCE_MS } from "../../world/following.ts";
import { say } from "../task/fixtures.ts";

export type EventItem = StreamItem<ResultOf<"_cleveragents/event/subscribe">>;
type Params = ParamsInputOf<"_cleveragents/event/subscribe">;
type Notification = Extract<EventItem["result"], { readonly event_id: string }>;

/** A subscription that stands. `until` reads on until an event satisfies, and answers all up to it. */
export async function subscribed(caller: Caller, params: Params, options: { lastEventId?: string } = {}) {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(PATIENCE_MS)]);
  const stream = caller.client.stream("_cleveragents/event/subscribe", params, { ...options, signal });
  const items = stream[Symbol.asyncIterator]();
  const next = async () => (await items.next()).value as EventItem | undefined;
  const first = await next();
  if (first === undefined || !("subscription" in first.result))
    throw new Error(`not the beginning of a subscription: ${JSON.stringify(first)}`);
  return {
    first: first.result,
    cursor: first.cursor ?? "",
    async until(enough: (event: Notification) => boolean): Promise<EventItem[]> {
      const all: EventItem[] = [];
      for (let item = await next(); item !== undefined; item = await next()) {
        all.push(item);
        if (enough(item.result as Notification)) return all; // only the first is none
      }
      throw new Error(`it ended after ${all.map(nameOf).join(", ")}`);
    },
    /** What comes until the stream ends. */
    async rest(): Promise<EventItem[]> {
      const all: EventItem[] = [];
      for (let item = await next(); item !== undefined; item = await next()) all.push(item);
      return all;
    },
    async leave(): Promise<void> {
      stop.abort();
      await items.return?.().catch(() => undefined); // it ends with the signal
    },
    [Symbol.asyncDispose](): Promise<void> {
      return this.leave();
    },
  };
}

/** `<task>:<sequence>`; "" for the first element. */
export function nameOf({ result }: EventItem): string {
  return "event_id" in result ? result.event_id : "";
}

/** A task of the scripted actor's that is over; its id. */
export async function spoken(caller: Caller, text: string, contextId?: string): Promise<string> {
  const message = { ...say(text), ...(contextId === undefined ? {} : { contextId }) };
  const answer = await caller.client.call("SendMessage", { message });
  if (!("task" in answer)) throw new Error("not answered with a task");
  return answer.task.id;
}

export const over = (event: Notification) => "state" in event && event.state === "completed";
