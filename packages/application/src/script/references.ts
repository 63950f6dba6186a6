import { type ExpressionNode, nodesOf } from "./expression.ts";

/** What of a plan an expression looks at. `all`: it may look at any, since which one is known only when it is evaluated. */
export interface References {
  readonly decisions: ReadonlySet<string> | "all";
  readonly results: ReadonlySet<string> | "all";
  readonly guidance: boolean;
}

type Looked = Set<string> | "all";

/** Of several expressions together. One that cannot be read looks at nothing: it is told as a mistake elsewhere. */
export function referencesOf(expressions: readonly string[]): References {
  const found: { decisions: Looked; results: Looked; guidance: boolean } = {
    decisions: new Set(),
    results: new Set(),
    guidance: false,
  };
  const look = (name: "decisions" | "results", member: string | undefined) => {
    const known = found[name];
    if (member === undefined) found[name] = "all";
    else if (known !== "all") known.add(member);
  };
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const inner of node) walk(inner);
    if (!isNode(node)) return;
    const [of, member] = Array.isArray(node.args) ? (node.args as readonly unknown[]) : [];
    const from = nameOf(of);
    if (MEMBER.has(node.op) && (from === "decisions" || from === "results")) {
      look(from, literalOf(member));
      walk(member);
      return;
    }
    const name = nameOf(node);
    if (name === "guidance") found.guidance = true;
    if (name === "decisions" || name === "results") look(name, undefined);
    walk(node.args);
  };
  for (const expression of expressions) walk(nodesOf(expression));
  return found;
}

const MEMBER: ReadonlySet<string> = new Set([".", ".?", "[]", "[?]"]);

function isNode(value: unknown): value is ExpressionNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.op === "id" && typeof node.args === "string" ? node.args : undefined;
}

/** The member that is meant, where it is written out. */
function literalOf(member: unknown): string | undefined {
  if (typeof member === "string") return member;
  return isNode(member) && member.op === "value" && typeof member.args === "string" ? member.args : undefined;
}
