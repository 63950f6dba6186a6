import { z } from "zod";
import { SubplansSchema } from "./subplans-schema.ts";

/**
 * The YAML of a `script` actor: decisions that are taken in Strategize and steps that are run in Execute, without a
 * model. Strings may hold `{{ expression }}` (CEL) over `args`, `decisions`, `results`, `guidance` and `attempt`;
 * a string that is one such template only keeps the expression's type. Where it looks on there is `advice`, too.
 */
const Label = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "a name begins with a letter and holds letters, digits and _");
const Path = z.string().min(1);
const Expression = z.string().min(1);

export const AlternativeSchema = z.strictObject({
  id: z.string().min(1),
  description: z.string().default(""),
});

export const ChoiceSchema = z.strictObject({
  when: Expression.optional(),
  choice: z.string().min(1),
  confidence: z.number().min(0).max(1).default(1),
  rationale: z.string().optional(),
});

export const ScriptDecisionSchema = z.strictObject({
  id: Label,
  question: z.string().min(1),
  /** Another decision of this script; without one the decision hangs on the root. */
  parent: Label.optional(),
  alternatives: z.array(AlternativeSchema).default([]),
  /** The first entry whose `when` holds decides; the last one needs no `when`. */
  choose: z.array(ChoiceSchema).min(1),
});

const Frame = { name: Label.optional(), when: Expression.optional() };
const Mode = z.enum(["644", "755"]);

/** One entry per kind of step: the key that names it in YAML and the shape of its value. */
export const STEP_SCHEMAS = {
  read: z.strictObject({ path: Path }),
  write: z.strictObject({
    path: Path,
    content: z.string(),
    encoding: z.enum(["utf8", "base64"]).default("utf8"),
    mode: Mode.optional(),
  }),
  edit: z.strictObject({
    path: Path,
    find: z.string().min(1),
    replace: z.string(),
    occurrences: z.enum(["one", "first", "all"]).default("one"),
  }),
  delete: z.strictObject({ path: Path }),
  rename: z.strictObject({ from: Path, to: Path }),
  chmod: z.strictObject({ path: Path, mode: Mode }),
  symlink: z.strictObject({ path: Path, target: z.string().min(1) }),
  run: z.strictObject({
    /** A string is given to `sh -c`; a list is run as it stands. */
    command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
    cwd: Path.optional(),
    env: z.record(z.string(), z.string()).default({}),
    timeout: z.number().positive().max(86_400).default(300),
    /** Exit codes that count as success; `any` takes all. */
    expect: z.union([z.literal("any"), z.array(z.number().int())]).default([0]),
    /** Off unless asked for; a profile may ask a human first. */
    network: z.boolean().optional(),
    /** MiB for memory and size of files, seconds for the processor. */
    limits: z
      .strictObject({
        memory: z.number().int().min(16).optional(),
        processes: z.number().int().min(1).optional(),
        openFiles: z.number().int().min(16).optional(),
        cpu: z.number().int().min(1).optional(),
        fileSize: z.number().int().min(1).optional(),
      })
      .optional(),
    /** Names of ignored folders that the command needs, in place of `node_modules`, `.venv`, `target` … */
    dependencies: z
      .array(z.string().regex(/^(?!\.{1,2}$|\.git$)[^/\0]+$/i, "the name of a folder"))
      .optional(),
  }),
  /** Any other tool: of MCP, of language servers, of skills. */
  call: z.strictObject({
    tool: z.string().regex(/^[^\s{}]{1,256}$/, "the name of a tool"),
    arguments: z.record(z.string(), z.json()).default({}),
    /** What people see of it in place of the tool's name. */
    label: z.string().min(1).max(500).optional(),
  }),
  decide: ScriptDecisionSchema,
  ask: z.strictObject({
    question: z.string().min(1),
    options: z.array(z.strictObject({ id: z.string().min(1), label: z.string().optional() })).default([]),
    freeText: z.boolean().optional(),
  }),
  say: z.strictObject({ text: z.string().min(1) }),
  wait: z.strictObject({ seconds: z.number().nonnegative().max(86_400) }),
  subplan: SubplansSchema,
  fail: z.strictObject({ message: z.string().min(1), retryable: z.boolean().default(false) }),
} as const;

export type StepKind = keyof typeof STEP_SCHEMAS;
export const STEP_KINDS = Object.keys(STEP_SCHEMAS) as StepKind[];
export type StepValue<K extends StepKind = StepKind> = z.output<(typeof STEP_SCHEMAS)[K]>;
export type ScriptStep = {
  [K in StepKind]: {
    readonly kind: K;
    readonly name?: string;
    readonly when?: string;
    readonly value: StepValue<K>;
  };
}[StepKind];

/** A step in YAML is `{ <kind>: …, name?, when? }`; parsed it is `{ kind, value, name?, when? }`. */
export const ScriptStepSchema = z
  .strictObject({ ...Frame, ...mapValues(STEP_SCHEMAS, (schema) => (schema as z.ZodType).optional()) })
  .transform((raw, context): ScriptStep => {
    const kinds = STEP_KINDS.filter((kind) => raw[kind] !== undefined);
    if (kinds.length !== 1) {
      context.addIssue({
        code: "custom",
        message: `a step has exactly one of ${STEP_KINDS.join(", ")}${kinds.length === 0 ? "" : `; this one has ${kinds.join(" and ")}`}`,
      });
      return z.NEVER;
    }
    const kind = kinds[0] as StepKind;
    return {
      kind,
      value: raw[kind],
      ...(raw.name === undefined ? {} : { name: raw.name }),
      ...(raw.when === undefined ? {} : { when: raw.when }),
    } as ScriptStep; // the value was checked by the schema of its own kind
  });

export const ScriptSchema = z
  .strictObject({
    decisions: z.array(ScriptDecisionSchema).default([]),
    steps: z.array(ScriptStepSchema).default([]),
    /** What it says where it looks on: an estimate, a review, judgements. Filled when its steps are done. */
    answer: z.json().optional(),
  })
  .superRefine((script, context) => {
    const seen = new Set<string>();
    script.decisions.forEach((decision, i) => {
      if (decision.parent !== undefined && !seen.has(decision.parent)) {
        context.addIssue({
          code: "custom",
          path: ["decisions", i, "parent"],
          message: `no decision "${decision.parent}" above this one`,
        });
      }
      if (seen.has(decision.id))
        context.addIssue({
          code: "custom",
          path: ["decisions", i, "id"],
          message: `"${decision.id}" is there twice`,
        });
      seen.add(decision.id);
      checkChoices(decision, (message) =>
        context.addIssue({ code: "custom", path: ["decisions", i, "choose"], message }),
      );
    });
    const names = new Set<string>();
    script.steps.forEach((step, i) => {
      if (step.name !== undefined && names.has(step.name)) {
        context.addIssue({
          code: "custom",
          path: ["steps", i, "name"],
          message: `"${step.name}" is there twice`,
        });
      }
      if (step.name !== undefined) names.add(step.name);
      if (step.kind === "decide")
        checkChoices(step.value, (message) =>
          context.addIssue({ code: "custom", path: ["steps", i, "decide", "choose"], message }),
        );
    });
  });
export type Script = z.output<typeof ScriptSchema>;
export type ScriptDecision = z.output<typeof ScriptDecisionSchema>;

function checkChoices(decision: ScriptDecision, report: (message: string) => void): void {
  if (decision.choose.at(-1)?.when !== undefined)
    report("the last choice needs no `when`, so that one always holds");
  const known = new Set(decision.alternatives.map((alternative) => alternative.id));
  for (const { choice } of decision.choose) {
    if (known.size > 0 && !known.has(choice))
      report(`"${choice}" is not among the alternatives ${[...known].join(", ")}`);
  }
}

function mapValues<T extends Record<string, unknown>, V>(
  object: T,
  map: (value: T[keyof T]) => V,
): { [K in keyof T]: V } {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, map(value as T[keyof T])]),
  ) as { [K in keyof T]: V };
}
