import {
  type DefinitionOfDone,
  DocumentError,
  type DocumentProblem,
  EntryNotFoundError,
  type JsonObject,
  type ScriptStep,
  STEP_SCHEMAS,
} from "@cleveragents/domain";
import { TOOLS_OF_STEPS } from "../plans/script-steps.ts";
import type { SkillCatalog } from "../skills/skill-catalog.ts";
import { doneOfSkill, slotProblems, stepsOfSkill } from "../skills/skill-steps.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";

/** A step of a definition that is carried out by something that has to be there. */
export interface WantedStep {
  readonly type: "skill" | "tool" | "prompt";
  readonly action: string;
  readonly params: JsonObject;
  readonly id?: string;
  readonly when?: string;
}

/** What steps are looked for in; what is absent has none of them. */
export interface StepSources {
  readonly tools?: Pick<ToolRunner, "find" | "refresh"> | undefined;
  readonly skills?: Pick<SkillCatalog, "find"> | undefined;
  /** Whose own skills count; asked only where there are steps that are skills. */
  readonly projectPath: () => Promise<string>;
}

/** What a step asks for that nobody here can do. */
export interface Unavailable {
  readonly step: number;
  readonly type: string;
  readonly action: string;
  readonly why: string;
}

export interface ResolvedSteps {
  readonly steps: readonly ScriptStep[];
  /** When the skills among them are done. */
  readonly done: Exclude<DefinitionOfDone, string>;
  readonly missing: readonly Unavailable[];
}

/** The steps of a plan, with tools and skills as they are now. Throws `DocumentError` for arguments that they do not take. */
export async function resolveSteps(
  file: string,
  read: readonly ({ readonly step: ScriptStep } | { readonly wanted: WantedStep })[],
  sources: StepSources,
): Promise<ResolvedSteps> {
  const steps: ScriptStep[] = [];
  const done: ResolvedSteps["done"][number][] = [];
  const missing: Unavailable[] = [];
  const problems: DocumentProblem[] = [];
  await sources.tools?.refresh();
  for (const [step, one] of read.entries()) {
    if ("step" in one) {
      steps.push(one.step);
      continue;
    }
    const { type, action } = one.wanted;
    const found = await resolve(one.wanted, sources);
    if ("why" in found) missing.push({ step, type, action, why: found.why });
    else if ("problems" in found)
      problems.push(...found.problems.map((problem) => ({ path: `steps.${step}.params`, problem })));
    else {
      steps.push(...found.steps);
      done.push(...found.done);
    }
  }
  if (problems.length > 0) throw new DocumentError(file, problems);
  return { steps, done, missing };
}

type Resolved =
  | { readonly why: string }
  | { readonly problems: readonly string[] }
  | Pick<ResolvedSteps, "steps" | "done">;

async function resolve(wanted: WantedStep, sources: StepSources): Promise<Resolved> {
  switch (wanted.type) {
    case "tool":
      return toolStep(wanted, sources);
    case "skill":
      return await skillSteps(wanted, sources);
    case "prompt":
      return { why: "no model is wired that would answer a prompt" };
  }
}

function toolStep({ action, params, id, when }: WantedStep, { tools }: StepSources): Resolved {
  const tool = tools?.find(action);
  if (tool === undefined)
    return {
      why: `there is no such tool; besides those of \`agents tool list\`, steps can call ${TOOLS_OF_STEPS.join(", ")}`,
    };
  // What a template stands for is known when the step runs.
  const checked = JSON.stringify(params).includes("{{") ? undefined : tool.input.safeParse(params);
  if (checked?.success === false)
    return { problems: checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) };
  const value = STEP_SCHEMAS.call.parse({ tool: tool.name, arguments: params });
  const frame = { ...(id === undefined ? {} : { name: id }), ...(when === undefined ? {} : { when }) };
  return { steps: [{ kind: "call", value, ...frame } as ScriptStep], done: [] };
}

async function skillSteps(
  { action, params, id, when }: WantedStep,
  { skills, tools, projectPath }: StepSources,
): Promise<Resolved> {
  if (skills === undefined) return { why: "no skills are looked for here" };
  try {
    const skill = await skills.find(action, await projectPath());
    const problems = slotProblems(skill.spec, params);
    if (problems.length > 0) return { problems };
    const steps = stepsOfSkill(skill, { id, when, params }, (name) => tools?.find(name) !== undefined);
    if (steps !== undefined) return { steps, done: doneOfSkill(skill) };
    return { why: "it has no steps with scripts, and no model is wired that would follow its instructions" };
  } catch (error) {
    if (!(error instanceof EntryNotFoundError && error.kind === "skill")) throw error;
    const known = error.known.slice(0, 20).join(", ");
    return { why: `there is no such skill; there ${known === "" ? "are none" : `is ${known}`}` };
  }
}
