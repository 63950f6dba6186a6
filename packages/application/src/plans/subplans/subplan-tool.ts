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
  inputSchema: z.toJSONSchema(SubplansSchema, { io: "input" }) as JsonObject,
  readOnly: false,
  idempotent: true,
  effect: "sandbox",
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
  const names = plans.map(({ id }) => id);
  return `subplan${names.length === 1 ? "" : "s"} ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
}
