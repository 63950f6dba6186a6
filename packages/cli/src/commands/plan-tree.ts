import type { DecisionNode } from "@cleveragents/protocol";
import { callCommand } from "../command/call-command.ts";
import type { Page } from "../output/output.ts";
import { childrenText } from "../plan/children-text.ts";
import { planIdOf, shortId } from "../plan/resolve-plan-id.ts";

export const command = callCommand({
  method: "_cleveragents/plan/tree",
  params: async (invocation) => ({
    plan_id: await planIdOf(invocation),
    show_superseded: invocation.values.isSet("show-superseded"),
  }),
  text: ({ tree, child_plans }, page) =>
    tree.length === 0
      ? "No decisions yet."
      : [
          ...tree.flatMap((node) => lines(node, "", "", page)),
          ...(child_plans.length === 0 ? [] : ["", "Subplans", childrenText(child_plans, page.paint)]),
        ].join("\n"),
  names: ({ tree }) => tree.flatMap(ids),
});

function lines(node: DecisionNode, lead: string, under: string, page: Page): string[] {
  const { paint } = page;
  const confidence =
    node.type === "prompt_definition" ? "" : paint.dim(` (${Math.round(node.confidence * 100)} %)`);
  const by = node.superseded_by === undefined ? "" : ` by ${shortId(node.superseded_by)}`;
  const gone = node.superseded ? paint.yellow(` superseded${by}`) : "";
  const because =
    node.rationale === undefined
      ? []
      : [paint.dim(`${under}${node.children.length > 0 ? "│  " : "   "}because: ${node.rationale}`)];
  const chosen = node.chosen === "" ? "" : ` -> ${paint.bold(node.chosen)}`;
  const child = node.child_plan === undefined ? "" : paint.dim(` plan ${shortId(node.child_plan)}`);
  const children = node.children.flatMap((child, index) => {
    const last = index === node.children.length - 1;
    return lines(child, `${under}${last ? "└─ " : "├─ "}`, `${under}${last ? "   " : "│  "}`, page);
  });
  return [`${lead}${node.question}${chosen}${child}${confidence}${gone}`, ...because, ...children];
}

function ids(node: DecisionNode): string[] {
  return [node.decision_id, ...node.children.flatMap(ids)];
}
