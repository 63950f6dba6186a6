import { z } from "zod";
import { FileGlobsSchema } from "../plan/file-view.ts";

const notHere = (what: string) =>
  z.never({ error: `${what} are not kept here: say what models are told, with include and the limits` });
const FIELDS = {
  /** Files that models are told without asking for them, those of the first glob first; none when absent. */
  include: FileGlobsSchema.optional(),
  /** Files of which models are told nothing unasked, also if they are included. */
  exclude: FileGlobsSchema.optional(),
  /** In bytes, of one file, and of all together. */
  max_file_size: z.int().positive().max(1_048_576).optional(),
  max_total_size: z.int().positive().max(10_485_760).optional(),
  max_files: z.int().min(0).max(1000).optional(),
  /** How much of a model's request they may take. */
  hot_max_tokens: z.int().positive().max(1_000_000).optional(),
  warm_max_decisions: notHere("warm contexts").optional(),
  cold_max_decisions: notHere("cold contexts").optional(),
  strategies: notHere("strategies").optional(),
} as const;
const ViewSchema = z.strictObject(FIELDS);

/** Phases with views of their own, each taking from the one before it what it does not say. */
export const CONTEXT_VIEWS = ["default", "strategize", "execute", "apply"] as const;
export type ContextViewName = (typeof CONTEXT_VIEWS)[number];

/** What of a project models are told without asking: for all phases, and for one where that has to be something else. */
export const ContextConfigSchema = z
  .strictObject({
    ...FIELDS,
    views: z
      .strictObject({
        default: ViewSchema.optional(),
        strategize: ViewSchema.optional(),
        execute: ViewSchema.optional(),
        apply: ViewSchema.optional(),
      })
      .optional(),
  })
  .superRefine(({ views, ...all }, context) => {
    for (const key of Object.keys(views?.default ?? {}))
      if (Object.hasOwn(all, key))
        context.addIssue({
          code: "custom",
          path: ["views", "default", key],
          message: "stands beside the view, too; one of both is enough",
        });
  });
export type ContextConfig = z.output<typeof ContextConfigSchema>;

export interface ContextView {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxFileSize: number;
  readonly maxTotalSize: number;
  readonly maxFiles: number;
  readonly maxTokens: number;
}

/** What holds in a phase, the limits filled in. */
export function contextViewOf({ views = {}, ...all }: ContextConfig, of: ContextViewName): ContextView {
  const upTo = CONTEXT_VIEWS.slice(0, CONTEXT_VIEWS.indexOf(of) + 1);
  const said = Object.assign({}, all, ...upTo.map((name) => views[name] ?? {})) as typeof all;
  return {
    include: said.include ?? [],
    exclude: said.exclude ?? [],
    maxFileSize: said.max_file_size ?? 262_144,
    maxTotalSize: said.max_total_size ?? 1_048_576,
    maxFiles: said.max_files ?? 50,
    maxTokens: said.hot_max_tokens ?? 8000,
  };
}
