import type { JsonObject } from "@cleveragents/domain";
import type { NamedEvent } from "../plans/plan-writer.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import type { Mind, MindDeps } from "./mind.ts";
import { projectFilesNow } from "./project-files-now.ts";
import { serversNow } from "./servers-now.ts";

/** What a model is told of the code without having asked. */
export interface CodeNow {
  /** For the model; empty where there is nothing to tell. */
  readonly text: string;
  /** For people and programs. */
  readonly data: JsonObject;
  /** What was started for it, once in a conversation. */
  readonly events: readonly NamedEvent[];
}

/**
 * What a model is told when it is asked: files that its project has chosen, and what language servers say of the files that
 * it works on. Throws what either throws.
 */
export async function codeNow(
  deps: Pick<MindDeps, "codeIntelligence" | "contextFiles"> & Pick<PlanDeps, "workspace">,
  turn: Pick<Turn, "plan" | "signal">,
  mind: Mind,
): Promise<CodeNow | undefined> {
  const code = await serversNow(deps, turn, mind);
  const files = await projectFilesNow(deps, turn, mind.role);
  if (files === undefined) return code;
  return {
    text: [files.text, code?.text ?? ""].filter((text) => text !== "").join("\n\n"),
    data: { ...code?.data, ...files.data },
    events: code?.events ?? [],
  };
}
