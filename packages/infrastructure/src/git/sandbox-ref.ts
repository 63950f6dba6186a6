import { WorkspaceError } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { PLAN_ID } from "./workspace-leftovers.ts";

/** What a plan remembers of its sandbox, so that another process opens it again. */
export interface SandboxRef {
  readonly baseTree: string;
  /** Folders that are repositories of their own. */
  readonly nested: readonly string[];
  readonly warnings: readonly string[];
}

const VERSION = 1;

export function refOf({ baseTree, nested, warnings }: SandboxRef): JsonObject {
  return { version: VERSION, baseTree, nested: [...nested], warnings: [...warnings] };
}

/** Throws SANDBOX_GONE for one that another version has written. */
export function readRef(ref: JsonObject): SandboxRef {
  const texts = (value: unknown) =>
    Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  const { baseTree, nested, warnings, version } = ref;
  if (version !== VERSION || typeof baseTree !== "string")
    throw new WorkspaceError(
      "SANDBOX_GONE",
      "the sandbox was made by another version",
      "start the plan again",
    );
  return { baseTree, nested: texts(nested), warnings: texts(warnings) };
}

/** It becomes part of paths and of names of references. */
export function assertPlanId(planId: string): void {
  if (!PLAN_ID.test(planId)) throw new TypeError("a plan id has letters, digits, _ and - only");
}
