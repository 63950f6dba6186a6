import { z } from "zod";
import { IdSchema, IsoTimestampSchema, JsonObjectSchema } from "../json.ts";

export const PlanPhaseSchema = z.enum(["strategize", "execute", "apply"]);

/** `running` is the documents' word on the wire for what the model calls `processing`. */
export const PlanStateSchema = z.enum([
  "queued",
  "running",
  "complete",
  "errored",
  "constrained",
  "applied",
  "cancelled",
  "rejected",
  "failed",
]);

export const DigestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, "a digest is sha256: and 64 hex digits");

export const PlanRef = { plan_id: IdSchema };

export const Stage = { phase: PlanPhaseSchema, state: PlanStateSchema };

export const AskSchema = z.object({
  request_id: z.string(),
  kind: z.enum(["start", "apply", "question", "retry", "guard", "budget", "conflict"]),
  prompt: z.string(),
  options: z.array(z.object({ id: z.string(), label: z.string() })),
  free_text: z.boolean(),
  digest: DigestSchema.optional(),
  /**
   * For `guard`: guard, reason, tool, call. For `budget`: budget, limit, used, raise_to. For `conflict`: subplan,
   * child_plan, files, artifact.
   */
  details: JsonObjectSchema.optional(),
  expires_at: IsoTimestampSchema.optional(),
});

export const ChangeSummarySchema = z.object({
  files: z.number().int(),
  created: z.number().int(),
  modified: z.number().int(),
  deleted: z.number().int(),
  renamed: z.number().int(),
  mode_changes: z.number().int(),
  binary: z.number().int(),
  insertions: z.number().int(),
  deletions: z.number().int(),
});
