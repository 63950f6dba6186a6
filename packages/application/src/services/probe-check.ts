import {
  type Action,
  DocumentError,
  type DocumentProblem,
  type Probe,
  probeFrom,
} from "@cleveragents/domain";
import { checkSyntaxProblem } from "../script/check-expression.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";

/** Throws `DocumentError` for expressions that cannot be read and tools that a check may not use, when it is registered. */
export function checkProbes(
  file: string,
  tools: Pick<ToolRunner, "find">,
  probes: readonly { readonly path: string; readonly probe: Probe | undefined }[],
): void {
  const problems = probes.flatMap(({ path, probe }): DocumentProblem[] => {
    const at = (field: string) => (path === "" ? field : `${path}.${field}`);
    if (probe?.kind === "check") return unreadable(at("check"), probe.check);
    if (probe?.kind !== "tool") return [];
    const tool = tools.find(probe.tool);
    const wraps =
      tool === undefined
        ? [{ path: at("wraps"), problem: `there is no tool ${probe.tool}` }]
        : tool.readOnly || tool.commandOf !== undefined
          ? []
          : [{ path: at("wraps"), problem: `${probe.tool} changes files, and a check only looks` }];
    return [...wraps, ...(probe.transform === undefined ? [] : unreadable(at("transform"), probe.transform))];
  });
  if (problems.length > 0) throw new DocumentError(file, problems);
}

/** The probes that stand in an action, with their places in it. */
export function probesOf({
  invariants,
  definition_of_done,
}: Pick<Action, "invariants" | "definition_of_done">): {
  readonly path: string;
  readonly probe: Probe | undefined;
}[] {
  const points = typeof definition_of_done === "string" ? [] : definition_of_done;
  const of = (field: string, items: readonly (string | Parameters<typeof probeFrom>[0])[]) =>
    items.map((item, n) => ({
      path: `${field}.${n}`,
      probe: typeof item === "string" ? undefined : probeFrom(item),
    }));
  return [...of("invariants", invariants), ...of("definition_of_done", points)];
}

function unreadable(path: string, expression: string): DocumentProblem[] {
  const problem = checkSyntaxProblem(expression);
  return problem === undefined
    ? []
    : [{ path, problem: `the expression ${expression} cannot be read: ${problem}` }];
}
