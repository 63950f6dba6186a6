import type { JsonObject, Plan } from "@cleveragents/domain";
import type { NamedEvent } from "../plans/plan-writer.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { ToolError } from "../ports/tool-provider.ts";
import { conversationOf, type Mind, type MindDeps } from "./mind.ts";

/** What is known of the files in play when a model is asked. */
export interface CodeNow {
  /** For the model; empty where nothing is known. */
  readonly text: string;
  /** For people and programs. */
  readonly data: JsonObject;
  /** What was started for it, once in a conversation. */
  readonly events: readonly NamedEvent[];
}

/** Files that are looked at, those first that were touched last. */
const MOST_FILES = 8;
/** Characters, where the actor does not say how many. */
const SHOWN = { normal: 4000, compact: 1500 } as const;

/**
 * What language servers say of the files that the model works on, if its actor binds any. Servers are started with the
 * first request. One that cannot be had is told and stops nothing; throws `ToolError` LSP_NO_SERVER for what is bound by name and
 * not registered.
 */
export async function codeNow(
  deps: Pick<MindDeps, "codeIntelligence"> & Pick<PlanDeps, "workspace">,
  { plan, signal }: Pick<Turn, "plan" | "signal">,
  { actor, role, inPlay }: Mind,
): Promise<CodeNow | undefined> {
  const { codeIntelligence, workspace } = deps;
  if (codeIntelligence === undefined || actor.lsp === undefined || plan.sandbox === undefined)
    return undefined;
  // They would run on the host, for a plan whose commands must not.
  if (plan.environment !== undefined) return undefined;
  const sandbox = await workspace.open(plan.planId, plan.project.path, plan.sandbox);
  const place = { planId: plan.planId, sandbox, signal };
  const conversation = conversationOf(plan, role);
  const events: NamedEvent[] = [];
  if (conversation.turns.length === 0) {
    const { servers, failed } = await codeIntelligence.activate(actor.lsp, place);
    events.push({
      key: `a${plan.attempt}:code:${role}:${conversation.asked}`,
      name: "code.activated",
      data: { role, servers: servers.map(({ name }) => name), failed: failed.map((one) => ({ ...one })) },
    });
  }
  const files = inPlay ?? filesIn(plan, role);
  if (files.length === 0) return { text: "", data: {}, events };
  const maxCharacters = actor.limits.code_context ?? (actor.compact ? SHOWN.compact : SHOWN.normal);
  try {
    const { text, data } = await codeIntelligence.context({
      ...place,
      binding: actor.lsp,
      files: files.slice(0, MOST_FILES),
      maxCharacters,
    });
    return { text, data, events };
  } catch (error) {
    signal.throwIfAborted();
    // What was bound is not there any more; the work goes on without.
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof ToolError) && (error as Error).name !== "LspBindingError") throw error;
    return { text: "", data: { type: "code_context", entries: [], failures: [{ message }] }, events };
  }
}

/** The paths that its calls name, the newest first. */
function filesIn(plan: Plan, role: Mind["role"]): readonly string[] {
  const paths = conversationOf(plan, role)
    .turns.flatMap(({ calls }) => calls)
    .filter(({ result }) => result !== undefined && result.failed !== true)
    .flatMap(({ args = {} }) => [args["path"], args["to"]])
    .filter((path): path is string => typeof path === "string" && path !== "");
  return [...new Set(paths.reverse())];
}
