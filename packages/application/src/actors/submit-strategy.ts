import type { JsonObject, SubmittedStrategy } from "@cleveragents/domain";
import { z } from "zod";
import type { ModelTool } from "../ports/language-model.ts";
import type { OwnTool } from "./take-answer.ts";

const Strategy = z.object({
  decisions: z
    .array(
      z.object({
        id: z
          .string()
          .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/)
          .describe("Short name of letters, digits and _"),
        question: z.string().min(1),
        alternatives: z
          .array(z.object({ id: z.string().min(1), description: z.string().default("") }))
          .default([]),
        choice: z.string().min(1).describe("The id of the chosen alternative"),
        confidence: z.number().min(0).max(1).describe("How sure you are, from 0 to 1"),
        rationale: z.string().min(1),
      }),
    )
    .max(50),
  steps: z.array(z.string().min(1)).max(100).describe("What is to be done, in order"),
});

/** How a strategist hands in what it has decided. */
export const submitStrategyTool: OwnTool & { readonly offered: ModelTool } = {
  ...own("submit_strategy", "Hand in what you have decided. Call it once, when you know enough.", Strategy),
  problem: (args) => strategyProblem(args as unknown as SubmittedStrategy), // it has passed the schema
  required: true,
};

/** Why what was handed in does not hold together. */
export function strategyProblem({ decisions }: SubmittedStrategy): string | undefined {
  const seen = new Set<string>();
  for (const { id, alternatives, choice } of decisions) {
    if (seen.has(id)) return `there are two decisions "${id}"`;
    seen.add(id);
    const known = alternatives.map((alternative) => alternative.id);
    if (new Set(known).size < known.length) return `decision "${id}" has an alternative twice`;
    if (known.length > 0 && !known.includes(choice))
      return `the choice of "${id}" is "${choice}", which is none of its alternatives ${known.join(", ")}`;
  }
  return undefined;
}

/** A tool of ours as models are told of it. */
export function own(
  name: string,
  description: string,
  schema: z.ZodType,
): OwnTool & { readonly offered: ModelTool } {
  const offered = {
    name,
    description,
    // Written when it is asked for: most processes never tell a model of it.
    get inputSchema() {
      const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: "input" }) as JsonObject;
      return inputSchema;
    },
  };
  return { name, input: schema as z.ZodType<JsonObject>, offered };
}
