import type { Client } from "@cleveragents/protocol";
import type { Invocation } from "../command/command.ts";
import { isWholeId, wholeId } from "../command/partial-id.ts";

/** The plan that the command's ID means. */
export async function planIdOf(invocation: Invocation): Promise<string> {
  return resolvePlanId(
    await invocation.client(),
    invocation.values.positional("ID"),
    invocation.options.timeoutMs,
  );
}

/** The same, as its A2A task is known by: an id of the caller's own is looked up. */
export async function taskIdOf(invocation: Invocation): Promise<string> {
  const plan_id = await planIdOf(invocation);
  if (isWholeId(plan_id)) return plan_id;
  const client = await invocation.client();
  const status = await client.call(
    "_cleveragents/plan/status",
    { plan_id },
    { timeoutMs: invocation.options.timeoutMs },
  );
  return status.plan_id;
}

/** The plan that a flag means; undefined where it is not given. */
export async function planIdIn(invocation: Invocation, flag: string): Promise<string | undefined> {
  const given = invocation.values.text(flag);
  if (given === undefined) return undefined;
  return resolvePlanId(await invocation.client(), given, invocation.options.timeoutMs);
}

/** The whole id for one that may be the beginning or the end of it, or one that its caller has given the plan. Throws AMBIGUOUS_ID. */
export async function resolvePlanId(client: Client, given: string, timeoutMs?: number): Promise<string> {
  return wholeId(given, "plans", async function* () {
    let page_token: string | undefined;
    do {
      const page = await client.call(
        "_cleveragents/plan/list",
        { page_size: 500, page_token },
        { timeoutMs },
      );
      yield* page.plans.map(({ plan_id, action }) => ({ id: plan_id, about: action }));
      page_token = page.next_page_token;
    } while (page_token !== "");
  });
}

/** The end of an id, which tells plans apart; the beginning is their time. */
export function shortId(id: string): string {
  return id.length > 8 ? id.slice(-8) : id;
}
