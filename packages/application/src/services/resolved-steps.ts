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
import type { FoundSkill } from "../ports/skill-folders.ts";
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
  /** Who carries out what is said in words, where a step does not say who. */
  readonly actor?: string | undefined;
  /** Why an actor cannot carry out what is said in words; undefined where it can. Absent: nobody can. */
  readonly promptProblem?: ((actor: string) => Promise<string | undefined>) | undefined;
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
      return promptStep(wanted, wanted.action, sources);
  }
}

/** Words that an actor carries out, as a plan of its own within this one. */
async function promptStep(
  { params, id, when }: WantedStep,
  text: string,
  { actor: usual, promptProblem }: StepSources,
): Promise<Resolved> {
  const { actor: own, ...others } = params;
  if (own !== undefined && typeof own !== "string") return { problems: ["actor: the name of an actor"] };
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    return { problems: unknown.map((name) => `${name}: a prompt takes an \`actor\` alone`) };
  const actor = own ?? usual;
  if (promptProblem === undefined) return { why: "there are no actors here that take a prompt" };
  if (actor === undefined)
    return {
      why: "it says nothing of who carries it out: name an `actor` in its params or in the definition",
    };
  const why = await promptProblem(actor);
  if (why !== undefined) return { why };
  const value = STEP_SCHEMAS.subplan.parse({
    plans: [{ id: "prompt", prompt: { text, actor } }],
    retry_failed: false,
  });
  const frame = { ...(id === undefined ? {} : { name: id }), ...(when === undefined ? {} : { when }) };
  return { steps: [{ kind: "subplan", value, ...frame } as ScriptStep], done: [] };
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

async function skillSteps(wanted: WantedStep, sources: StepSources): Promise<Resolved> {
  const { action, params, id, when } = wanted;
  const { skills, tools, projectPath } = sources;
  if (skills === undefined) return { why: "no skills are looked for here" };
  try {
    const skill = await skills.find(action, await projectPath());
    const problems = slotProblems(skill.spec, params);
    if (problems.length > 0) return { problems };
    const steps = stepsOfSkill(skill, { id, when, params }, (name) => tools?.find(name) !== undefined);
    if (steps !== undefined) return { steps, done: doneOfSkill(skill) };
    const { actor, ...slots } = params;
    const said = await promptStep(
      { ...wanted, params: actor === undefined ? {} : { actor } },
      instructionsOf(skill, slots),
      sources,
    );
    if (!("why" in said)) return { ...said, done: doneOfSkill(skill) };
    return { why: `it has no steps with scripts, and nobody who follows its instructions: ${said.why}` };
  } catch (error) {
    if (!(error instanceof EntryNotFoundError && error.kind === "skill")) throw error;
    const known = error.known.slice(0, 20).join(", ");
    return { why: `there is no such skill; there ${known === "" ? "are none" : `is ${known}`}` };
  }
}

/** A skill that is text alone, as what an actor is told to do. What stands in it is text, and nothing in it is looked up. */
function instructionsOf({ name, spec }: Pick<FoundSkill, "name" | "spec">, slots: JsonObject): string {
  const given = Object.keys(slots).length === 0 ? "" : `\n\nWith: ${JSON.stringify(slots)}`;
  const text = `Follow the instructions of the skill ${name}: ${spec.description}\n\n${spec.instructions.slice(0, 50_000)}`;
  return `${text.replaceAll("{{", "{ {").replaceAll("}}", "} }")}${given}`;
}
