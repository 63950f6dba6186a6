import type { JsonObject } from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import { WorkspaceError } from "../../ports/workspace.ts";

/** Looks at a document before it is registered, beside the one that it replaces; throws for what may not be. */
export type EntryCheck = (document: JsonObject, there: JsonObject | undefined) => void;

/**
 * Which folder a caller may name as a project, and so read and change with the rights of this process: whoever may
 * decide what is started here any; others one below `roots`, which are real paths. A project that is there keeps its
 * folder. Undefined for whom nothing has to be checked.
 */
export function projectPlaceCheck(
  { scopes }: Principal,
  roots: readonly string[] | undefined,
): EntryCheck | undefined {
  if (roots === undefined || scopes.includes("trust:write")) return undefined;
  return ({ path }, there) => {
    const folder = String(path);
    if (folder === there?.["path"] || roots.some((root) => isBelow(folder, root))) return;
    throw new WorkspaceError(
      "FORBIDDEN_PATH",
      "this caller may not have a project in that folder",
      roots.length === 0
        ? "whoever runs the agent names folders for projects (CLEVERAGENTS_PROJECT_ROOTS), or registers it"
        : `choose one below ${roots.join(" or ")}`,
    );
  };
}

function isBelow(folder: string, root: string): boolean {
  return folder.startsWith(root.endsWith("/") ? root : `${root}/`);
}
