import { z } from "zod";
import { optional } from "./json.ts";

export const SkillDiagnosticSchema = z.object({
  level: z.enum(["error", "warning", "info"]),
  /** Stable, e.g. `description-missing`. */
  code: z.string(),
  message: z.string(),
  line: z.number().int().optional(),
});

export const SkillValidateParamsSchema = z.object({
  /** The text of a SKILL.md. */
  document: z.string().max(2_000_000),
  /** The name of its folder, which its name has to be. */
  folder: z.string().min(1).max(255),
  /** As the format's reference validator judges, instead of as leniently as skills are read. */
  strict: optional(z.boolean()),
});
export const SkillValidateResultSchema = z.object({
  valid: z.boolean(),
  strict: z.boolean(),
  name: z.string().optional(),
  version: z.string().optional(),
  description: z.string().optional(),
  format: z.enum(["frontmatter", "heading"]).optional(),
  steps: z.array(
    z.object({
      number: z.number().int(),
      title: z.string(),
      /** What it runs; none if it is for a model or a human. */
      commands: z.array(z.string()),
    }),
  ),
  definition_of_done: z.array(z.string()),
  /** What it asks to use, and the tools that these are here; absent if it does not say. */
  allowed_tools: z.array(z.object({ pattern: z.string(), tools: z.array(z.string()) })).optional(),
  resource_slots: z.array(z.string()),
  /** About how many tokens of a model's context it takes: to be known of, and to be activated. */
  tokens: z.object({ discover: z.number().int(), activate: z.number().int() }).optional(),
  diagnostics: z.array(SkillDiagnosticSchema),
});

export const SkillToolsParamsSchema = z.object({
  name: z.string().min(1),
  /** Whose own skills count too. */
  project: optional(z.string().min(1)),
});
export const SkillToolsResultSchema = z.object({
  skill: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      /** `builtin`, `custom`, `lsp`, `agent_skill`, or `mcp:SERVER`. */
      source: z.string(),
      from_skill: z.string(),
      read_only: z.boolean(),
      writes: z.boolean(),
      /** What it does is undone with the plan's copy. */
      checkpoint: z.boolean(),
    }),
  ),
  /** What it names and is not there now. */
  missing: z.array(z.object({ name: z.string(), from_skill: z.string(), hint: z.string().optional() })),
  summary: z.object({
    total: z.number().int(),
    read_only: z.number().int(),
    writes: z.number().int(),
    checkpointable: z.number().int(),
  }),
});

export const SkillRefreshParamsSchema = z.object({
  /** All when absent. */
  name: optional(z.string().min(1)),
});
export const SkillRefreshResultSchema = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      /** `skipped`: there is nothing that it could be made of now. */
      status: z.enum(["refreshed", "unchanged", "skipped"]),
      tools: z.number().int(),
      added: z.array(z.string()),
      removed: z.array(z.string()),
    }),
  ),
  /** Not there, because another one has the same name. */
  shadowed: z.array(z.object({ name: z.string(), folder: z.string(), source: z.string(), by: z.string() })),
  diagnostics: z.array(z.object({ ...SkillDiagnosticSchema.shape, folder: z.string() })),
});
