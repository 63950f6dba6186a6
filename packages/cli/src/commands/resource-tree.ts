import type { ResultOf } from "@cleveragents/protocol";
import { callCommand } from "../command/call-command.ts";

type Node = ResultOf<"_cleveragents/registry/resource/tree">["tree"][number];

export const command = callCommand({
  method: "_cleveragents/registry/resource/tree",
  params: ({ values }) => ({ name: values.optionalPositional("NAME"), type_name: values.text("type") }),
  text: ({ tree }) =>
    tree.length === 0 ? "No resources." : tree.flatMap((node) => lines(node, "")).join("\n"),
  names: ({ tree }) => tree.flatMap(namesIn),
});

function lines({ name, type, state, children }: Node, indent: string): string[] {
  const found = state === "discovered" ? ", found in it" : "";
  return [`${indent}${name}  (${type}${found})`, ...children.flatMap((child) => lines(child, `${indent}  `))];
}

function namesIn({ name, children }: Node): string[] {
  return [name, ...children.flatMap(namesIn)];
}
