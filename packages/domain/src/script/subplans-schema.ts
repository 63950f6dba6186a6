import { z } from "zod";
import { FileViewSchema } from "../plan/file-view.ts";
import { BudgetSchema } from "../policy/budget.ts";

/** One after the other, all at once, or each when those are through that it depends on. */
export const SUBPLAN_MODES = ["sequential", "parallel", "dependency_ordered"] as const;
/**
 * What becomes of files that two sides have changed. `git_three_way`: merged, and what does not go together is asked about.
 * `sequential_apply`: the same, and each begins on what the one before has left. `fail_on_conflict`: the subplan counts
 * as failed. `last_wins`: the subplan's file.
 */
export const MERGE_STRATEGIES = [
  "git_three_way",
  "sequential_apply",
  "fail_on_conflict",
  "last_wins",
] as const;
export type MergeStrategy = (typeof MERGE_STRATEGIES)[number];

/** Of one step; what needs more is work for subplans of subplans. */
const MOST_SUBPLANS = 50;
const Text = z.string().min(1);

const SubplanFields = z.strictObject({
  /** Its name among those of its step. */
  id: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,99}$/, "a subplan's id begins with a letter and holds letters, digits, _ and -"),
  /** A registered action. */
  action: Text.optional(),
  /** In its place: what an actor is told to do, in words. */
  prompt: z.strictObject({ text: Text.max(100_000), actor: Text }).optional(),
  arguments: z.record(z.string(), z.json()).default({}),
  /** Names of subplans of the same step whose results it builds on. */
  depends_on: z.array(Text).default([]),
  /** The plan's own project; another one is refused. */
  project: Text.optional(),
  /** Paths that it may change, as globs; any when absent. */
  resources: z.array(z.string().min(1).max(1000)).min(1).max(200).optional(),
  /** What it sees of the plan's copy; all when absent. */
  view: FileViewSchema.optional(),
  /** No more than this, of what the plan that starts it may use. */
  budget: BudgetSchema.optional(),
  /** Becomes guidance of the subplan. */
  guidance: Text.optional(),
});
/** Of one with a prompt, `action` is what people see in the place of an action's name. */
export const SubplanSchema = SubplanFields.superRefine(({ action, prompt }, context) => {
  if (action === undefined && prompt === undefined)
    context.addIssue({
      code: "custom",
      path: ["action"],
      message: "a subplan needs an `action`, or a `prompt`",
    });
}).transform(({ action, ...rest }) => ({ ...rest, action: action ?? `prompt to ${rest.prompt?.actor}` }));
export type Subplan = z.output<typeof SubplanSchema>;

/** What a `subplan` step, and the tool `builtin/subplan`, is told. */
export const SubplansSchema = z
  .strictObject({
    plans: z.array(SubplanSchema).min(1).max(MOST_SUBPLANS),
    mode: z.enum(SUBPLAN_MODES).default("sequential"),
    max_parallel: z.number().int().min(1).max(MOST_SUBPLANS).default(4),
    merge_strategy: z.enum(MERGE_STRATEGIES).default("git_three_way"),
    /** The first failure ends those that run and those that have not begun. */
    fail_fast: z.boolean().default(false),
    retry_failed: z.boolean().default(true),
    /** How often one is run at most, in all. */
    max_retries: z.number().int().min(1).max(10).default(2),
    timeout_per_subplan_seconds: z
      .number()
      .positive()
      .max(30 * 86_400)
      .optional(),
  })
  .superRefine(({ plans, mode }, context) => {
    const ids = new Set<string>();
    plans.forEach(({ id, depends_on }, i) => {
      const issue = (path: string, message: string) =>
        context.addIssue({ code: "custom", path: ["plans", i, path], message });
      if (ids.has(id)) issue("id", `"${id}" is there twice`);
      ids.add(id);
      if (depends_on.length > 0 && mode !== "dependency_ordered")
        issue("depends_on", "`depends_on` goes with `mode: dependency_ordered`");
      for (const name of depends_on)
        if (!plans.some((other) => other.id === name)) issue("depends_on", `there is no subplan "${name}"`);
    });
    if (inOrder(plans) === undefined)
      context.addIssue({
        code: "custom",
        path: ["plans"],
        message: "subplans depend on each other in a circle",
      });
  });
export type Subplans = z.output<typeof SubplansSchema>;

/** Each behind those that it depends on, else as they are written; undefined where they depend on each other in a circle. */
export function inOrder<T extends Pick<Subplan, "id" | "depends_on">>(
  plans: readonly T[],
): readonly T[] | undefined {
  const ordered: T[] = [];
  const left = [...plans];
  while (left.length > 0) {
    const next = left.findIndex(({ depends_on }) =>
      depends_on.every((name) => !left.some(({ id }) => id === name)),
    );
    if (next < 0) return undefined;
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}
