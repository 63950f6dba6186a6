import { z } from "zod";
import { IsoTimestampSchema, optional } from "../json.ts";
import { ChangeSummarySchema, DigestSchema, PlanRef, Stage } from "./shared.ts";

const Globs = z.array(z.string().min(1).max(1000)).max(200);

/** A part of a plan's changes, with a digest of its own: what an apply of it has to name. */
const Selection = {
  /** Path globs as git's: `*` within a folder, `**` across them, a folder means all in it. */
  only: optional(Globs),
  exclude: optional(Globs),
  /** Merge with what changed in the project since, where it does not overlap. */
  rebase: optional(z.boolean()),
};

const LeftOutSchema = z.object({ digest: DigestSchema, paths: z.array(z.string()) });

export const PlanDiffParamsSchema = z.object({
  ...PlanRef,
  include_patch: optional(z.boolean()),
  /** The hunks of each file, apart from the patch; absent: none. */
  include_hunks: optional(z.boolean()),
  ...Selection,
  /** Of an applied plan: what was not chosen when a part of its changes was applied. */
  left_out: optional(z.boolean()),
});

/** One hunk of a unified diff. */
export const HunkSchema = z.object({
  old_start: z.number().int(),
  old_lines: z.number().int(),
  new_start: z.number().int(),
  new_lines: z.number().int(),
  /** What git says it is in, as a function's first line. */
  heading: z.string().optional(),
  /** Each begins with a space, `+`, `-`, or `\\` where there is no line feed at the end of the file. */
  lines: z.array(z.string()),
});

export const FileChangeSchema = z.object({
  path: z.string(),
  previous_path: z.string().optional(),
  /** The names are not UTF-8: both stand in double quotes, bytes as three octal digits, as git quotes them. */
  path_quoted: z.boolean().optional(),
  /** False where the file is too large for the patch: only its statistics and hashes are told. */
  in_patch: z.boolean().optional(),
  status: z.enum(["added", "modified", "deleted", "renamed"]),
  change: z.string(),
  binary: z.boolean(),
  insertions: z.number().int(),
  deletions: z.number().int(),
  old_mode: z.string().optional(),
  new_mode: z.string().optional(),
  old_size: z.number().int().optional(),
  new_size: z.number().int().optional(),
  old_sha256: z.string().optional(),
  new_sha256: z.string().optional(),
  /** Where they were asked for, of text that is in the patch; 64 kB of a file and 1 MB of all, each hunk whole. */
  hunks: z.array(HunkSchema).optional(),
  /** True where a file has more hunks than are told. */
  truncated: z.boolean().optional(),
});

export const PlanDiffResultSchema = z.object({
  ...PlanRef,
  digest: DigestSchema,
  diff_summary: z.object({
    plan: z.string(),
    project: z.string(),
    files_changed: z.number().int(),
    insertions: z.number().int(),
    deletions: z.number().int(),
    net_change: z.string(),
  }),
  files: z.array(FileChangeSchema),
  risks: z.array(z.object({ kind: z.string(), path: z.string(), note: z.string() })),
  /** What the selection leaves out. */
  left_out: LeftOutSchema.optional(),
  /** Files that both sides have changed and that were merged. */
  merged: z.array(z.string()).optional(),
  /** Unified diff as `git apply` takes it, of all files but those whose `in_patch` is false. */
  patch: z.string().optional(),
});

export const PlanApplyParamsSchema = z.object({
  ...PlanRef,
  digest: optional(DigestSchema),
  ...Selection,
  /** Verify everything, write nothing, and say what would happen. */
  dry_run: optional(z.boolean()),
  /** Make a commit on this new branch of the project's repository instead of writing its files. */
  branch: optional(z.string().min(1).max(200)),
});

export const PlanApplyResultSchema = z.object({
  ...PlanRef,
  ...Stage,
  digest: DigestSchema.optional(),
  project: z.string(),
  changes: ChangeSummarySchema.optional(),
  /** What was not applied; the plan is over, and its patch stays with `plan/diff`. */
  left_out: LeftOutSchema.optional(),
  merged: z.array(z.string()).optional(),
  branch: z.string().optional(),
  commit: z.string().optional(),
  dry_run: z.boolean().optional(),
  /** Of a dry run: what would happen to each file. */
  files: z
    .array(
      z.object({
        path: z.string(),
        previous_path: z.string().optional(),
        /** `none`: it is already as it would be. */
        action: z.enum(["create", "replace", "delete", "rename", "none"]),
      }),
    )
    .optional(),
  applied_at: IsoTimestampSchema.optional(),
  already: z.boolean(),
});

export const PlanArtifactsParamsSchema = z.object({
  ...PlanRef,
  /** The output of a command that is too long for the task's own artifact of this id, to be told in pages. */
  artifact_id: optional(z.string().regex(/^[\w-]{1,100}$/)),
  /** In bytes; what the page before gave as `next_offset`. */
  offset: optional(z.number().int().min(0)),
  limit: optional(z.number().int().min(1024).max(1_048_576)),
});

export const PlanArtifactsResultSchema = z.object({
  ...PlanRef,
  artifacts: z.array(
    z.object({
      path: z.string(),
      type: z.enum(["write", "edit", "delete", "rename"]),
      size: z.number().int().optional(),
      change: z.string(),
    }),
  ),
  /** Outputs that are kept whole, for a time. */
  outputs: z.array(z.object({ artifact_id: z.string(), size: z.number().int() })),
  /** The page that was asked for. */
  output: z
    .object({
      artifact_id: z.string(),
      offset: z.number().int(),
      text: z.string(),
      size: z.number().int(),
      next_offset: z.number().int().optional(),
    })
    .optional(),
  summary: z.object({
    total: z.number().int(),
    writes: z.number().int(),
    edits: z.number().int(),
    deletes: z.number().int(),
    renames: z.number().int(),
    total_size: z.number().int(),
  }),
  total: z.number().int(),
  next_page_token: z.string(),
});
