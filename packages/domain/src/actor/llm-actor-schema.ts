import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { ActorLspSchema } from "../lsp/actor-lsp-schema.ts";
import { isModelName } from "../model/model-name.ts";
import { ROLE_HINTS } from "./actor-role.ts";

const Glob = z
  .string()
  .regex(/^[A-Za-z0-9_*?/.:-]+$/, "a tool's name, in which * and ? stand for others, such as builtin/*");

/** The YAML of an actor of type `llm`. */
export const LlmActorSchema = z
  .strictObject({
    name: NameSchema,
    type: z.literal("llm"),
    description: z.string().min(1),
    version: z.string().optional(),
    provider: z.string().min(1).optional(),
    /** `provider/model`, or the provider's own name where `provider` stands beside it. */
    model: z.string().min(1),
    /** What it is meant for; which role it has, an action says, and not one that it is not meant for. */
    role_hint: z.enum(ROLE_HINTS).optional(),
    /** What it is told besides what its role in a plan asks of it. */
    system_prompt: z.string().min(1).optional(),
    temperature: z.number().min(0).max(2).optional(),
    top_p: z.number().gt(0).max(1).optional(),
    /** Tokens that one answer may have. */
    max_tokens: z.number().int().min(16).optional(),
    /** Names of tools that it may call. */
    tools: z.array(Glob).default(["builtin/*"]),
    limits: z
      .strictObject({
        /** Answers of the model in one phase of one attempt. */
        turns: z.number().int().positive().max(1000).optional(),
        /** Answers in a row that cannot be used. */
        mistakes: z.number().int().positive().max(20).optional(),
        /** Tokens that a request may have; never more than the model takes. */
        context: z.number().int().min(512).optional(),
        /** Characters of a tool's answer that it is shown. */
        tool_result: z.number().int().min(200).max(1_000_000).optional(),
        /** Characters of what language servers say of the files in play. */
        code_context: z.number().int().min(200).max(100_000).optional(),
      })
      .default({}),
    /** Language servers whose diagnostics and types it is told without asking. */
    lsp: ActorLspSchema.optional(),
    /** Short prompts and short descriptions of tools, for small models. */
    compact: z.boolean().default(false),
  })
  .superRefine((actor, context) => {
    if (!isModelName(qualifiedModel(actor)))
      context.addIssue({
        code: "custom",
        path: ["model"],
        message: "write provider/model, such as openai/gpt-4o, or say the `provider`, too",
      });
  })
  .transform(({ provider, ...actor }) => ({
    ...actor,
    model: qualifiedModel({ provider, model: actor.model }),
  }));
export type LlmActor = z.output<typeof LlmActorSchema>;

function qualifiedModel({ provider, model }: { provider?: string | undefined; model: string }): string {
  if (provider === undefined || model.startsWith(`${provider}/`)) return model;
  return `${provider}/${model}`;
}

/** The actor that a model is by its name alone, without a file. */
export function providerActor(name: string): LlmActor {
  return {
    name,
    type: "llm",
    description: `The model ${name}`,
    model: name,
    tools: ["builtin/*"],
    limits: {},
    compact: false,
  };
}
