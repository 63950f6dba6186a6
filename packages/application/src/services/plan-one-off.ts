import { EntryNotFoundError, type JsonObject, type Plan } from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import type { DecisionSource } from "../plans/decision-source.ts";
import type { DocumentReader } from "../ports/document-reader.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import { MessageSeenError, type TaskStore } from "../ports/task-store.ts";
import { digestOfJson } from "../tools/call-key.ts";
import { ownPlan } from "./access.ts";
import { planOfAlias } from "./plan-alias.ts";
import { findProject, type UseRequest } from "./plan-creation.ts";
import { readDefinition } from "./plan-definition.ts";
import { promptAction, promptSources } from "./prompt-action.ts";
import type { StepSources } from "./resolved-steps.ts";

export interface CreateRequest extends Omit<UseRequest, "action" | "arguments" | "inline" | "message"> {
  /** As it came with the request, or the text of a file. */
  readonly given: { readonly definition: JsonObject } | { readonly document: string; readonly file: string };
  /** An id of the caller's, which every plan method takes from then on. */
  readonly alias?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

interface Deps {
  readonly store: Pick<TaskStore, "load" | "taskOfMessage">;
  readonly registry: RegistryStore;
  readonly documents: DocumentReader;
  /** What steps can be besides files and commands. */
  readonly tools?: StepSources["tools"];
  readonly skills?: StepSources["skills"];
  /** Who decides for plans whose actors are no scripts. */
  readonly sources?: readonly DecisionSource[] | undefined;
}

async function promptProblem({ registry, sources = [] }: Deps, actor: string): Promise<string | undefined> {
  try {
    await promptSources(registry, sources, await promptAction(registry, { text: "x", actor }, "prompt"));
    return undefined;
  } catch (error) {
    if (error instanceof EntryNotFoundError || error instanceof ProtocolError) return error.message;
    throw error;
  }
}

/** Makes the plan, unless the caller has one of this id. Throws ALREADY_EXISTS where that one was asked for otherwise. */
export async function createOneOff(
  deps: Deps,
  principal: Principal,
  { given, metadata, ...request }: CreateRequest,
  use: (request: UseRequest) => Promise<Plan>,
): Promise<Plan> {
  const definition = await readDefinition(deps.documents, given, {
    tools: deps.tools,
    skills: deps.skills,
    promptProblem: (actor) => promptProblem(deps, actor),
    projectPath: async () => (await findProject(deps, request)).path,
  });
  const alias = request.alias ?? definition.alias;
  if (request.alias !== undefined && definition.alias !== undefined && request.alias !== definition.alias)
    throw new ProtocolError("InvalidParams", {
      violations: [{ field: "plan_id", description: `the file says ${definition.alias}` }],
    });
  const { workingDirectory: _, ...asked } = JSON.parse(
    JSON.stringify({ ...request, alias, metadata }),
  ) as JsonObject;
  const script = definition.action.script as unknown as JsonObject;
  const digest = await digestOfJson({ ...asked, name: definition.action.name, script });
  const oneOff = {
    digest,
    ...(alias === undefined ? {} : { alias }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const existing = async () => {
    const planId = alias === undefined ? undefined : await planOfAlias(deps.store, principal, alias);
    if (alias === undefined || planId === undefined) return undefined;
    const { plan } = await ownPlan(deps.store, principal, planId);
    if (plan.oneOff?.digest !== digest)
      throw new ProtocolError("AlreadyExists", {
        message: `There is another plan with the id ${alias}`,
        hint: "choose another id, or ask for exactly the same",
        details: { plan_id: alias },
      });
    return plan;
  };
  const before = await existing();
  if (before !== undefined) return before;
  try {
    return await use({
      ...request,
      action: "",
      arguments: {},
      inline: { action: definition.action, oneOff },
    });
  } catch (error) {
    // The same request came twice at once: both have the plan of the first.
    const meanwhile = error instanceof MessageSeenError ? await existing() : undefined;
    if (meanwhile === undefined) throw error;
    return meanwhile;
  }
}
