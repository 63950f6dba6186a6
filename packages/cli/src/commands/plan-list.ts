import type { ParamsInputOf } from "@cleveragents/protocol";
import { callCommand } from "../command/call-command.ts";
import { moreNote, pageParams } from "../command/page.ts";
import { table } from "../output/table.ts";
import { age, count } from "../output/words.ts";
import { planIdIn, shortId } from "../plan/resolve-plan-id.ts";
import { paintState } from "../plan/step-line.ts";

type Params = ParamsInputOf<"_cleveragents/plan/list">;

export const command = callCommand({
  method: "_cleveragents/plan/list",
  params: async (invocation) => {
    const { values } = invocation;
    return {
      phase: values.text("phase") as Params["phase"], // the parser has checked the choice
      state: values.text("state") as Params["state"], // as above
      project: values.text("project"),
      action: values.text("action"),
      parent: await planIdIn(invocation, "parent"),
      ...pageParams(values),
    };
  },
  text: ({ plans }, page) =>
    plans.length === 0
      ? "No plans. agents plan use ACTION makes one."
      : table(
          plans,
          [
            { head: "ID", cell: ({ plan_id }) => shortId(plan_id) },
            { head: "ACTION", cell: ({ action }) => bareName(action), shrinkTo: 8 },
            { head: "PROJECT", cell: ({ project }) => bareName(project), shrinkTo: 8 },
            { head: "PHASE", cell: ({ phase }) => phase },
            {
              head: "STATE",
              cell: ({ state }) => state,
              paint: (text, { state }) => paintState(state, page.paint).replace(state, text),
            },
            { head: "WAITS FOR", cell: ({ waiting_for }) => waiting_for ?? "", shrinkTo: 9 },
            { head: "CHANGES", cell: changes },
            { head: "AGE", cell: ({ created_at }) => age(created_at, page.now), align: "right" },
          ],
          page,
        ),
  names: ({ plans }) => plans.map(({ plan_id }) => plan_id),
  note: moreNote,
});

/** Names of this agent's own are known without where they lie. */
function bareName(name: string): string {
  return name.replace(/^local\//, "");
}

function changes(plan: {
  readonly files_changed?: number | undefined;
  readonly insertions?: number | undefined;
  readonly deletions?: number | undefined;
}): string {
  if (plan.files_changed === undefined) return "";
  return `${count(plan.files_changed, "file")} +${plan.insertions ?? 0} -${plan.deletions ?? 0}`;
}
