import type { Client, DecisionNode } from "@cleveragents/protocol";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";

const LEAST = 6;

/**
 * The whole id of a decision for one that may be the beginning or the end of it. What is too short, or fits none, is
 * left as it is: the server knows decisions by the names that scripts give them, too. Throws AMBIGUOUS_ID.
 */
export async function resolveDecision(
  client: Client,
  plan_id: string,
  given: string,
  timeoutMs?: number,
): Promise<string> {
  const part = given.toUpperCase();
  if (given.length < LEAST || !/^[0-9A-Z]+$/.test(part)) return given;
  const { tree } = await client.call(
    "_cleveragents/plan/tree",
    { plan_id, show_superseded: true },
    { timeoutMs },
  );
  const fitting = tree.flatMap(nodes).filter(({ decision_id }) => {
    const id = decision_id.toUpperCase();
    return id.startsWith(part) || id.endsWith(part);
  });
  const [only, another] = fitting;
  if (another === undefined) return only?.decision_id ?? given;
  const list = fitting.slice(0, 10).map(({ decision_id, question }) => `  ${decision_id}  ${question}`);
  throw new CliError("AMBIGUOUS_ID", [`"${given}" fits ${fitting.length} decisions:`, ...list].join("\n"), {
    hint: "give more characters of the id",
    exitCode: EXIT.USAGE,
  });
}

function nodes(node: DecisionNode): DecisionNode[] {
  return [node, ...node.children.flatMap(nodes)];
}
