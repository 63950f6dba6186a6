import { z } from "zod";
import { IsoTimestampSchema, optional } from "../json.ts";
import { PlanRef } from "./shared.ts";
import { ChildPlanSchema } from "./status.ts";

export interface DecisionNode {
  decision_id: string;
  type: string;
  question: string;
  chosen: string;
  confidence: number;
  alternatives: { id: string; description: string }[];
  rationale?: string | undefined;
  sequence: number;
  superseded: boolean;
  superseded_by?: string | undefined;
  corrects?: string | undefined;
  child_plan?: string | undefined;
  created_at: string;
  children: DecisionNode[];
}

export const DecisionNodeSchema: z.ZodType<DecisionNode> = z.object({
  decision_id: z.string(),
  type: z.string(),
  question: z.string(),
  chosen: z.string(),
  confidence: z.number(),
  alternatives: z.array(z.object({ id: z.string(), description: z.string() })),
  rationale: z.string().optional(),
  sequence: z.number().int(),
  superseded: z.boolean(),
  /** The decision that took its place. */
  superseded_by: z.string().optional(),
  /** The decision in whose place it was put. */
  corrects: z.string().optional(),
  /** The plan that was started by it. */
  child_plan: z.string().optional(),
  created_at: IsoTimestampSchema,
  get children() {
    return z.array(DecisionNodeSchema);
  },
});

export const PlanTreeParamsSchema = z.object({ ...PlanRef, show_superseded: optional(z.boolean()) });

export const PlanTreeResultSchema = z.object({
  ...PlanRef,
  decision_root_id: z.string().nullable(),
  tree: z.array(DecisionNodeSchema),
  child_plans: z.array(ChildPlanSchema),
  summary: z.object({
    nodes: z.number().int(),
    depth: z.number().int(),
    superseded: z.number().int(),
    child_plans: z.number().int(),
  }),
});
