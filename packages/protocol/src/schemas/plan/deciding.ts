import { z } from "zod";
import { IsoTimestampSchema, optional } from "../json.ts";
import { DigestSchema, PlanRef, Stage } from "./shared.ts";

export const PlanAnswerParamsSchema = z.object({
  ...PlanRef,
  request_id: optional(z.string()),
  option: optional(z.string().min(1)),
  text: optional(z.string().min(1)),
  digest: optional(DigestSchema),
});

export const PlanRejectParamsSchema = z.object({
  ...PlanRef,
  request_id: optional(z.string()),
  reason: optional(z.string()),
});

export const PlanAnswerResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  request_id: z.string(),
  choice: z.string(),
});

export const PlanCancelParamsSchema = z.object({ ...PlanRef, reason: optional(z.string()) });

export const PlanCancelResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  reason: z.string().optional(),
  cancelled_at: IsoTimestampSchema,
  recovery: z.array(z.string()),
});
