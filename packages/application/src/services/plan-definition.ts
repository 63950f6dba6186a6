import {
  type Action,
  ActionSchema,
  DocumentError,
  type DocumentProblem,
  type JsonObject,
  type ScriptStep,
  STEP_SCHEMAS,
  type StepKind,
} from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import { z } from "zod";
import { kindOfTool } from "../plans/script-steps.ts";
import type { DocumentReader } from "../ports/document-reader.ts";
import { resolveSteps, type StepSources, type Unavailable, type WantedStep } from "./resolved-steps.ts";
import { expressionProblems } from "./script-check.ts";

type ReadStep = { readonly step: ScriptStep } | { readonly wanted: WantedStep };

const StepDefinitionSchema = z
  .object({
    id: z
      .string()
      .regex(/^(?!__proto__$)[\w.:-]{1,100}$/, "an id is of letters, digits and . : _ -")
      .nullish(),
    type: z.enum(["skill", "tool", "command", "prompt"]),
    /** The skill's or tool's name, the command, or the prompt. */
    action: z.string().min(1).nullish(),
    params: z.record(z.string(), z.json()).nullish(),
    when: z.string().min(1).nullish(),
  })
  .transform(({ id, type, action, params, when }, context): ReadStep => {
    const frame = { ...(id == null ? {} : { name: id }), ...(when == null ? {} : { when }) };
    const given = params ?? {};
    const issue = (path: readonly PropertyKey[], message: string) =>
      context.addIssue({ code: "custom", path: [...path], message });
    const checked = (
      kind: StepKind,
      value: JsonObject,
      from: Readonly<Record<string, string>> = {},
    ): ReadStep => {
      const read = STEP_SCHEMAS[kind].safeParse(value);
      if (read.success) return { step: { kind, value: read.data, ...frame } as ScriptStep }; // by the schema of its kind
      for (const { path, message } of read.error.issues)
        issue(
          from[String(path[0])] === undefined ? ["params", ...path] : [from[String(path[0])] ?? ""],
          message,
        );
      return z.NEVER;
    };
    if (type === "command") {
      if (action != null && given["command"] !== undefined) {
        issue(["params", "command"], "the command stands in `action` or in `params.command`, not in both");
        return z.NEVER;
      }
      return action == null
        ? checked("run", given)
        : checked("run", { ...given, command: action }, { command: "action" });
    }
    if (action == null) {
      issue(["action"], `a step of type ${type} needs an action`);
      return z.NEVER;
    }
    const kind = type === "tool" ? kindOfTool(action) : undefined;
    if (kind !== undefined) return checked(kind, given);
    const named = { ...(id == null ? {} : { id }), ...(when == null ? {} : { when }) };
    return { wanted: { type, action, params: given, ...named } };
  });

const PlanDefinitionSchema = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().trim().max(2000).nullish(),
  steps: z.array(StepDefinitionSchema).min(1).max(1000),
  /** Who carries out what steps say in words, where they do not say who. */
  actor: z.string().min(1).max(512).nullish(),
  /** In files: the id that the plan is to have. */
  plan_id: z.string().min(1).max(256).nullish(),
});

export interface PlanDefinition {
  readonly action: Action;
  /** The id that a file asks for. */
  readonly alias: string | undefined;
}

/**
 * The one-off action of a definition. Throws `DocumentError` with every mistake, and NOT_AVAILABLE for steps that nobody
 * can carry out, so that no plan is made that could only fail.
 */
export async function readDefinition(
  documents: DocumentReader,
  given: { readonly definition: unknown } | { readonly document: string; readonly file: string },
  sources: StepSources,
): Promise<PlanDefinition> {
  const file = "document" in given ? given.file : FIELD;
  const fail = (problems: readonly DocumentProblem[]): never => {
    const located =
      "document" in given
        ? documents.locate({ text: given.document, wrapper: FIELD, schema: PlanDefinitionSchema }, problems)
        : problems.map(({ path, problem }) => ({ path: `${FIELD}.${path}`, problem }));
    throw new DocumentError(file, located);
  };
  const { name, description, steps, plan_id, actor } =
    "document" in given
      ? documents.read({ text: given.document, file, wrapper: FIELD, schema: PlanDefinitionSchema })
      : fromObject(given.definition);
  const ids = steps.flatMap((read) => ("step" in read ? read.step.name : read.wanted.id) ?? []);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) fail([{ path: "steps", problem: `the id "${twice}" is there twice` }]);
  const resolved = await resolveSteps(file, steps, { ...sources, ...(actor == null ? {} : { actor }) });
  if (resolved.missing.length > 0) throw notAvailable(resolved.missing);
  const script = { decisions: [], steps: [...resolved.steps] };
  const unreadable = expressionProblems(script);
  // A skill is several steps: then it is not known which of the definition's a step was.
  const isOneToOne = script.steps.length === steps.length;
  if (unreadable.length > 0)
    fail(unreadable.map((each) => (isOneToOne ? asDefined(each) : { ...each, path: "steps" })));
  const text = description == null || description === "" ? name : description;
  const done = resolved.done.length === 0 ? text : resolved.done;
  const frame = { name: "one-off", description: text, definition_of_done: done, reusable: false, script: {} };
  const action: Action = { ...ActionSchema.parse(frame), name: labelOf(name), script };
  return { action, alias: plan_id ?? undefined };
}

const FIELD = "plan_definition";

/** A place in the script that was made of a definition, as the definition has it. */
function asDefined({ path, problem }: DocumentProblem): DocumentProblem {
  const [, , step, kind = "", ...rest] = path.split(".");
  const below =
    kind === "when" ? ["when"] : kind === "run" && rest[0] === "command" ? ["action"] : ["params", ...rest];
  return { path: ["steps", step, ...below].join("."), problem };
}

function fromObject(definition: unknown): z.output<typeof PlanDefinitionSchema> {
  const read = PlanDefinitionSchema.safeParse(definition);
  if (read.success) return read.data;
  throw new DocumentError(
    FIELD,
    read.error.issues.map(({ path, message }) => ({ path: [FIELD, ...path].join("."), problem: message })),
  );
}

/** Never the name of a registered action, whose plans are others. */
function labelOf(name: string): string {
  return /^\S+\/\S+$/.test(name) ? `one-off ${name}` : name;
}

function notAvailable(missing: readonly Unavailable[]): ProtocolError {
  const told = missing.map(({ step, type, action, why }) => `step ${step + 1} (${type} ${action}): ${why}`);
  return new ProtocolError("NotAvailable", {
    message: `The plan was not made. ${told.slice(0, 5).join("; ")}`,
    details: { steps: missing.map((entry) => ({ ...entry })) },
  });
}
