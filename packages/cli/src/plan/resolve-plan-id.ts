import type { Client } from "@cleveragents/protocol";
import { CliError } from "../cli-error.ts";
import type { Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";

const LEAST = 6;
const WHOLE = /^[0-9A-HJKMNP-TV-Z]{26}$/i;

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
  if (WHOLE.test(plan_id)) return plan_id;
  const client = await invocation.client();
  const status = await client.call(
    "_cleveragents/plan/status",
    { plan_id },
    { timeoutMs: invocation.options.timeoutMs },
  );
  return status.plan_id;
}

/**
 * The whole id for one that may be the beginning or the end of it, in any case. What is whole, too short, or fits no
 * plan is left as it is, for the server to judge: plans may have ids of their caller's. Throws AMBIGUOUS_ID.
 */
export async function resolvePlanId(client: Client, given: string, timeoutMs?: number): Promise<string> {
  if (WHOLE.test(given)) return given.toUpperCase();
  if (given.length < LEAST || !/^[0-9A-Z]+$/i.test(given)) return given;
  const part = given.toUpperCase();
  const fitting: { readonly plan_id: string; readonly action: string }[] = [];
  let token: string | undefined;
  do {
    const page = await client.call(
      "_cleveragents/plan/list",
      { page_size: 500, page_token: token },
      { timeoutMs },
    );
    for (const plan of page.plans) {
      const id = plan.plan_id.toUpperCase();
      if (id === part) return plan.plan_id;
      if (id.startsWith(part) || id.endsWith(part)) fitting.push(plan);
    }
    token = page.next_page_token;
  } while (token !== "");
  const [only, another] = fitting;
  if (another === undefined) return only?.plan_id ?? given;
  const list = fitting.slice(0, 10).map(({ plan_id, action }) => `  ${plan_id}  ${action}`);
  const rest = fitting.length > list.length ? [`  and ${fitting.length - list.length} more`] : [];
  throw new CliError(
    "AMBIGUOUS_ID",
    [`"${given}" fits ${fitting.length} plans:`, ...list, ...rest].join("\n"),
    {
      hint: "give more characters of the id",
      exitCode: EXIT.USAGE,
    },
  );
}

/** The end of an id, which tells plans apart; the beginning is their time. */
export function shortId(id: string): string {
  return id.length > 8 ? id.slice(-8) : id;
}
