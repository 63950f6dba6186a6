import { callCommand } from "../command/call-command.ts";
import { fields } from "../output/words.ts";
import { resolveDecision } from "../plan/resolve-decision.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

export const command = callCommand({
  method: "_cleveragents/plan/prompt",
  params: async (invocation) => {
    const { context, values, options } = invocation;
    const given = values.positional("TEXT");
    const text = given === "-" ? (await context.stdin.readAll()).trim() : given;
    const plan_id = await planIdOf(invocation);
    const about = values.text("decision");
    const decision_id =
      about === undefined
        ? undefined
        : await resolveDecision(await invocation.client(), plan_id, about, options.timeoutMs);
    return { plan_id, text, decision_id };
  },
  text: ({ plan_id, guidance_added, decision_created, queue }) =>
    fields([
      ["Plan", plan_id],
      ["Guidance", guidance_added.guidance],
      ["About", guidance_added.scope === "plan" ? "the whole plan" : guidance_added.scope],
      ["Decision", decision_created.id],
      ["State", guidance_added.state_transition],
      ["Waiting", `${queue.pending} not taken yet, ${queue.applied} taken before`],
      ["Next", `agents plan watch ${plan_id}`],
    ]),
  names: ({ decision_created }) => [decision_created.id],
});
