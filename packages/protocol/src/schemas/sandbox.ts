import { z } from "zod";
import { IdSchema, IsoTimestampSchema, optional } from "./json.ts";
import { PageParams, pageOf } from "./paging.ts";

export const SandboxItemSchema = z.object({
  plan_id: z.string(),
  /** State of the plan's task. */
  state: z.string(),
  project: z.string(),
  /** Absent where the sandbox is only half made or half removed. */
  created_at: IsoTimestampSchema.optional(),
  /** Room on disk of the sandbox's own files; contents that it shares with other plans do not count. */
  bytes: z.number().int(),
  files: z.number().int(),
  /** True unless everything that the plan did is in the project, or it did nothing. */
  unapplied_work: z.boolean(),
  /** Whether the plan is over, so that the sandbox can go. */
  removable: z.boolean(),
  /** When it goes by itself: work of a plan that is over stays so long unless its removal is asked for. */
  kept_until: IsoTimestampSchema.optional(),
});
export const SandboxListParamsSchema = z.object(PageParams);
export const SandboxListResultSchema = pageOf("sandboxes", SandboxItemSchema);

export const SandboxGcParamsSchema = z.object({
  /** That plan's alone, with work that was not applied. */
  plan_id: optional(IdSchema),
  /** Seconds since the plan ended. */
  older_than: optional(
    z
      .number()
      .min(0)
      .max(10 * 365 * 24 * 3600),
  ),
  /** Say what would go, and remove nothing. */
  dry_run: optional(z.boolean()),
});
export const SandboxGcResultSchema = z.object({
  /** Those that were chosen; `removed` is false where nothing was, as for a dry run. */
  sandboxes: z.array(SandboxItemSchema.extend({ removed: z.boolean() })),
  total: z.number().int(),
  next_page_token: z.string(),
  bytes_freed: z.number().int(),
  dry_run: z.boolean(),
});
