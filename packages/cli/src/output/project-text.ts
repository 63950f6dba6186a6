import type { ResultOf } from "@cleveragents/protocol";
import { fields } from "./words.ts";

/** A project and the state of its folder. */
export function projectText(project: ResultOf<"_cleveragents/registry/project/show">): string {
  const head = project.head === undefined ? undefined : project.head.slice(0, 12);
  return fields([
    ["Project", project.name],
    ["Path", project.path],
    ["Description", project.description],
    ["Profile", project.automation_profile],
    ["Invariants", project.invariants?.join("\n")],
    ["Context", project.context_config && contextText(project.context_config)],
    ["Folder", project.kind === "git" ? "git repository" : "plain folder"],
    ["Head", [project.branch, head].filter((text) => text !== undefined).join(" ")],
    ["Resources", project.resources.map(resourceText).join("\n")],
    ["Warnings", project.warnings.join("\n")],
  ]);
}

/** In one line: `include README.md docs/**; exclude secrets; execute: max_files 3`. */
function contextText({ views = {}, ...all }: Record<string, unknown>): string {
  const fieldsOf = (view: object) =>
    Object.entries(view).map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(" ") : value}`);
  return [
    ...fieldsOf(all),
    ...Object.entries(views as Record<string, object>).map(
      ([name, view]) => `${name}: ${fieldsOf(view).join(", ")}`,
    ),
  ].join("; ");
}

function resourceText({
  name,
  path,
  unusable,
}: ResultOf<"_cleveragents/registry/project/show">["resources"][number]): string {
  return `${name} (${path}, not started)${unusable === undefined ? "" : `: ${unusable}`}`;
}
