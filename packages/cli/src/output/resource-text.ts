import type { ResultOf } from "@cleveragents/protocol";
import { fields } from "./words.ts";

/** A resource, what it is a part of and what is a part of it. */
export function resourceText(resource: ResultOf<"_cleveragents/registry/resource/show">): string {
  return fields([
    ["Resource", resource.name],
    ["Type", resource.type],
    ["Description", resource.description],
    [
      "Arguments",
      Object.entries(resource.arguments)
        .map(([name, value]) => `${name}=${value}`)
        .join("\n"),
    ],
    ["Part of", resource.parents.join("\n")],
    [
      "Parts",
      resource.children
        .map(({ name, type, state }) => `${name} (${type}${state === "discovered" ? ", found in it" : ""})`)
        .join("\n"),
    ],
  ]);
}
