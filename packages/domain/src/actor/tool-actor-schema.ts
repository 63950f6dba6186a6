import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { type Script, STEP_SCHEMAS } from "../script/script-schema.ts";

/**
 * The YAML of an actor of type `tool`: one call of one tool. What it gives the tool may hold templates, as steps of
 * scripts do. In a plan it is a script of that one step.
 */
export const ToolActorSchema = z.strictObject({
  name: NameSchema,
  type: z.literal("tool"),
  description: z.string().min(1),
  version: z.string().optional(),
  tool: STEP_SCHEMAS.call.shape.tool,
  arguments: STEP_SCHEMAS.call.shape.arguments,
  /** How the call's result is known to later expressions, such as those of checks. */
  result: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "a name begins with a letter and holds letters, digits and _")
    .default("result"),
});
export type ToolActor = z.output<typeof ToolActorSchema>;

/** What a tool actor does in a plan; where it looks on, what its tool answers is what it says. */
export function toolScript({ tool, arguments: args, result }: ToolActor): Script {
  return {
    decisions: [],
    steps: [{ kind: "call", name: result, value: { tool, arguments: args } }],
    answer: `{{ results.${result} }}`,
  };
}
