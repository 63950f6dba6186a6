import { type JsonObject, type Subplans, SubplansSchema } from "@cleveragents/domain";
import { z } from "zod";
import { type ToolDescriptor, ToolError, type ToolProvider } from "../../ports/tool-provider.ts";

/** Lets a plan start plans of its own. */
export const SUBPLAN_TOOL = "builtin/subplan";

const DESCRIPTOR: ToolDescriptor = {
  name: SUBPLAN_TOOL,
  description:
    "Starts plans of registered actions, each on a copy of what this plan has so far, and merges what they change. Answers when all of them have ended.",
  source: "builtin",
  input: SubplansSchema as unknown as z.ZodType<JsonObject>, // what it lets through is plain JSON
  // Written when it is asked for: most processes never tell a model of it.
  get inputSchema() {
    return z.toJSONSchema(SubplansSchema, { io: "input" }) as JsonObject;
  },
  readOnly: false,
  idempotent: true,
  effect: "sandbox",
};

/**
 * What a model is told of it, and may say: what is to be done in other words, and by which actor, is for the plan's author, since
 * it decides who sees the project.
 */
export const subplansForModels: ToolDescriptor = {
  name: DESCRIPTOR.name,
  description: DESCRIPTOR.description,
  source: DESCRIPTOR.source,
  readOnly: DESCRIPTOR.readOnly,
  idempotent: DESCRIPTOR.idempotent,
  effect: DESCRIPTOR.effect,
  input: SubplansSchema.refine(({ plans }) => plans.every(({ prompt }) => prompt === undefined), {
    message: "a subplan is of a registered action",
  }) as unknown as z.ZodType<JsonObject>, // what it lets through is plain JSON
  get inputSchema() {
    return JSON.parse(
      JSON.stringify(DESCRIPTOR.inputSchema, (key, value) => (key === "prompt" ? undefined : value)),
    ) as JsonObject;
  },
};

/** Shows the tool, so that guards, lists and models know it. The plan's own turns carry it out: it takes many of them. */
export const subplanTools: ToolProvider = {
  list: () => [DESCRIPTOR],
  async call() {
    throw new ToolError("NOT_AVAILABLE", "subplans can be started by steps of a plan alone");
  },
};

/** What people see of it. */
export function subplansLabel({ plans }: Pick<Subplans, "plans">): string {
  const [first] = plans;
  if (plans.length === 1 && first?.prompt !== undefined) {
    const [line = ""] = first.prompt.text.trim().split("\n", 1);
    return `prompt: ${line.length > 100 ? `${line.slice(0, 99)}…` : line}`;
  }
  const names = plans.map(({ id }) => id);
  return `subplan${names.length === 1 ? "" : "s"} ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
}
