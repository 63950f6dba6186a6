import type { Command } from "../command/command.ts";
import { momentOf } from "../command/moment.ts";
import { readAgain } from "../connect/read-again.ts";
import { EXIT } from "../exit-codes.ts";
import { resolvePlanId } from "../plan/resolve-plan-id.ts";

export const command: Command = {
  async run(invocation) {
    const { context, options, values, output } = invocation;
    const [since, until] = [momentOf(values, "since", context.now), momentOf(values, "until", context.now)];
    const client = await invocation.client();
    const plan = values.text("plan");
    const wanted = {
      plan_id: plan === undefined ? undefined : await resolvePlanId(client, plan, options.timeoutMs),
      task_id: values.text("task"),
      session_id: values.text("session"),
      since,
      until,
      page_size: 500,
    };
    let events = 0;
    for (let page_token = ""; ; ) {
      const page = await readAgain(() =>
        client.call(
          "_cleveragents/event/export",
          { ...wanted, page_token },
          { timeoutMs: options.timeoutMs },
        ),
      );
      output.raw(page.events.map((event) => `${JSON.stringify(event)}\n`).join(""));
      events += page.events.length;
      page_token = page.next_page_token;
      if (page_token === "") break;
    }
    if (events === 0) output.note("Nothing was logged there.");
    return EXIT.OK;
  },
};
