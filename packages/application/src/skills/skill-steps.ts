import {
  type AgentSkillSpec,
  type DefinitionOfDone,
  type JsonObject,
  type ScriptStep,
  type SkillCommand,
  type SkillStep,
  STEP_SCHEMAS,
} from "@cleveragents/domain";
import type { FoundSkill } from "../ports/skill-folders.ts";

/** The tool that runs a script of a skill. */
export const RUN_SCRIPT = "skill/run_script";

/** The tool that carries out a step of a skill by a function of this process, where there is one. */
export function inlineTool(skill: string, step: number): string {
  return `skill-step/${skill}.${step}`;
}

export interface SkillCall {
  /** What results of its steps are called by: the last one by this name, the others by it and a number. */
  readonly id?: string | undefined;
  readonly when?: string | undefined;
  /** `resources`: a path for each slot; all others are handed to the scripts. */
  readonly params: JsonObject;
}

/**
 * A skill as steps of a plan: its scripts, one by one; what is text alone is a question to a human, who says whether it is
 * done. They are of the skill as it is now. Undefined if all of it is text, which is nothing that a plan could do.
 */
export function stepsOfSkill(
  { name, spec }: Pick<FoundSkill, "name" | "spec">,
  { id, when, params }: SkillCall,
  hasTool: (name: string) => boolean,
): ScriptStep[] | undefined {
  const { resources = {}, ...others } = params;
  const handed = { resources, params: others };
  const frame = when === undefined ? {} : { when };
  const steps: ScriptStep[] = [];
  let works = false;
  for (const step of spec.steps) {
    const title = `${name} ${step.index}. ${step.title}`;
    const tool = inlineTool(name, step.index);
    if (hasTool(tool)) {
      works = true;
      steps.push({ ...frame, ...call(tool, { skill: name, step: step.index, ...handed }, title) });
    } else if (step.commands.length > 0) {
      works = true;
      for (const command of step.commands)
        steps.push({
          ...frame,
          ...call(RUN_SCRIPT, { ...argumentsFor(name, command), ...handed }, `${title}: ${inWords(command)}`),
        });
    } else steps.push(...byHand(name, step, `${id ?? name}.step${step.index}`, when));
  }
  if (!works) return undefined;
  const last = steps.findLastIndex(({ kind }) => kind === "call");
  return steps.map((step, n) => {
    if (id === undefined || step.kind !== "call") return step;
    return { ...step, name: n === last ? id : `${id}.${n + 1}` };
  });
}

/** When a skill is done, for a plan that is made of it: points with a script are checked by it. */
export function doneOfSkill({
  name,
  spec,
}: Pick<FoundSkill, "name" | "spec">): Exclude<DefinitionOfDone, string> {
  return spec.definitionOfDone.map(({ text, commands: [command] }) =>
    command === undefined ? text : { text, wraps: RUN_SCRIPT, input: argumentsFor(name, command) },
  );
}

/** Slots that have to be filled and are not, and what is filled and no slot. */
export function slotProblems({ resourceSlots }: AgentSkillSpec, params: JsonObject): string[] {
  const given = params["resources"] ?? {};
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return ["resources: names of slots with a path for each"];
  const names = resourceSlots.map(({ name }) => name);
  return [
    ...resourceSlots
      .filter(({ name, required }) => required && given[name] === undefined)
      .map(
        ({ name, description }) =>
          `resources.${name} is needed${description === "" ? "" : `: ${description}`}`,
      ),
    ...Object.entries(given).flatMap(([name, path]) => {
      if (!names.includes(name)) return [`resources.${name} is no slot of the skill`];
      return typeof path === "string" && path !== "" ? [] : [`resources.${name} is a path`];
    }),
  ];
}

function call(tool: string, args: JsonObject, label: string): ScriptStep {
  const value = STEP_SCHEMAS.call.parse({
    tool,
    arguments: args,
    label: withoutTemplates(label).slice(0, 500),
  });
  return { kind: "call", value: value as JsonObject & typeof value };
}

function argumentsFor(name: string, { script, args, interpreter }: SkillCommand): JsonObject {
  return { name, script, args: [...args], ...(interpreter === undefined ? {} : { interpreter }) };
}

function inWords({ script, args, interpreter }: SkillCommand): string {
  return [interpreter ?? [], script, ...args].flat().join(" ");
}

/** Nobody here can do it by itself, and it is not claimed to be done. */
function byHand(skill: string, step: SkillStep, name: string, when: string | undefined): ScriptStep[] {
  const told = step.instructions === "" ? "" : `\n${step.instructions.slice(0, 4000)}`;
  const question = `${skill}, step ${step.index}: ${step.title}${told}\nThis step has no script. Has it been done?`;
  const options = [
    { id: "done", label: "It is done" },
    { id: "not-done", label: "It cannot be done" },
  ];
  const refused = `results[${JSON.stringify(name)}].choice == "not-done"`;
  return [
    {
      kind: "ask",
      name,
      ...(when === undefined ? {} : { when }),
      value: { question: withoutTemplates(question), options, freeText: false },
    },
    {
      kind: "fail",
      when: when === undefined ? refused : `(${when}) && ${refused}`,
      value: {
        message: withoutTemplates(`${skill}, step ${step.index} was not done: ${step.title}`),
        retryable: false,
      },
    },
  ];
}

/** A skill's text is text, and nothing in it is looked up. */
function withoutTemplates(text: string): string {
  return text.replaceAll("{{", "{ {").replaceAll("}}", "} }");
}
