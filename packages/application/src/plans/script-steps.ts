import type { ScriptStep, StepKind } from "@cleveragents/domain";
import { SUBPLAN_TOOL, subplansLabel } from "./subplans/subplan-tool.ts";

/** Kinds of steps that are a tool call, with the tool; the others are the lifecycle's own. */
const TOOLS = {
  read: "builtin/read_file",
  write: "builtin/write_file",
  edit: "builtin/edit_file",
  delete: "builtin/delete_file",
  rename: "builtin/rename_file",
  chmod: "builtin/chmod_file",
  symlink: "builtin/symlink",
  run: "builtin/shell",
} as const satisfies Partial<Record<StepKind, string>>;

export function toolOf(kind: keyof typeof TOOLS): string {
  return TOOLS[kind];
}

/** The kind of step that calls a tool, with or without the tool's namespace; undefined if none does. */
export function kindOfTool(tool: string): keyof typeof TOOLS | undefined {
  const kinds = Object.keys(TOOLS) as (keyof typeof TOOLS)[];
  return kinds.find((kind) => TOOLS[kind] === tool || TOOLS[kind] === `builtin/${tool}`);
}

/** The tools that steps of a script can call. */
export const TOOLS_OF_STEPS: readonly string[] = Object.values(TOOLS);

/** The tool that a step calls; undefined for the lifecycle's own. */
export function toolOfStep({ kind, value }: ScriptStep): string | undefined {
  if (kind === "call") return value.tool;
  if (kind === "subplan") return SUBPLAN_TOOL;
  return Object.hasOwn(TOOLS, kind) ? TOOLS[kind as keyof typeof TOOLS] : undefined;
}

/** What people see of a step before it runs. */
export function stepLabel(step: ScriptStep): string {
  switch (step.kind) {
    case "read":
    case "write":
    case "edit":
    case "delete":
      return `${step.kind} ${step.value.path}`;
    case "rename":
      return `rename ${step.value.from} to ${step.value.to}`;
    case "chmod":
      return `chmod ${step.value.mode} ${step.value.path}`;
    case "symlink":
      return `link ${step.value.path} to ${step.value.target}`;
    case "run":
      return `run ${typeof step.value.command === "string" ? step.value.command : step.value.command.join(" ")}${step.value.network === true ? " (with network)" : ""}`;
    case "subplan":
      return subplansLabel(step.value);
    case "call":
      return step.value.label ?? `call ${step.value.tool}`;
    case "decide":
      return `decide ${step.value.id}`;
    case "ask":
      return `ask: ${step.value.question}`;
    case "say":
      return "say";
    case "wait":
      return `wait ${step.value.seconds} s`;
    case "fail":
      return "fail";
  }
}
