import { usageError } from "../cli-error.ts";
import { readArguments } from "../command/arguments.ts";
import { readBudget } from "../command/budget.ts";
import { callCommand } from "../command/call-command.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/plan/use",
  params: ({ context, values }) => {
    const project = values.text("project");
    return {
      action_name: values.positional("ACTION"),
      arguments: readArguments(values.list("arg")),
      project,
      working_directory: project === undefined ? context.cwd : undefined,
      automation_profile: values.text("automation-profile") ?? values.text("profile"),
      budget: readBudget(values.list("budget")),
      require_isolation:
        readIsolation(values.text("isolation")) ?? (values.isSet("require-isolation") ? true : undefined),
      environment: values.text("environment"),
      validations: given(values.list("validation")),
      invariants: given(values.list("invariant")),
      session_id: values.text("session"),
    };
  },
  text: (plan) =>
    fields([
      ["Plan", plan.plan_id],
      ["Action", plan.action],
      ["Project", plan.project],
      ["Profile", `${plan.automation.profile} (from ${plan.automation.source})`],
      ["Next", [`agents plan execute ${plan.plan_id}`, `agents plan status ${plan.plan_id}`].join("\n")],
    ]),
  names: ({ plan_id }) => [plan_id],
});

function given(list: readonly string[]): string[] | undefined {
  return list.length === 0 ? undefined : [...list];
}

const LEVELS = ["namespace", "full"] as const;

function readIsolation(text: string | undefined): (typeof LEVELS)[number] | undefined {
  const level = LEVELS.find((known) => known === text);
  if (text !== undefined && level === undefined)
    throw usageError(`--isolation is one of ${LEVELS.join(", ")}, not "${text}"`);
  return level;
}
