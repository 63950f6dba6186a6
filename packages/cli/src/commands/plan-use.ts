import { usageError } from "../cli-error.ts";
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

const BUDGETS = ["tool_calls", "cost_usd", "tokens", "seconds"] as const;

function readBudget(
  entries: readonly string[],
): Partial<Record<(typeof BUDGETS)[number], number>> | undefined {
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map((entry) => {
      const [, name = "", amount = ""] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(entry) ?? [];
      const kind = BUDGETS.find((known) => known === name);
      if (kind === undefined)
        throw usageError(`--budget is written K=N with K one of ${BUDGETS.join(", ")}, not "${entry}"`);
      return [kind, Number(amount)];
    }),
  );
}

/** `k=v` entries as an object; a name that is given again makes a list. The server converts text to the types. */
function readArguments(entries: readonly string[]): Record<string, string | string[]> | undefined {
  if (entries.length === 0) return undefined;
  const given = new Map<string, string[]>();
  for (const entry of entries) {
    const at = entry.indexOf("=");
    if (at < 1) throw usageError(`--arg is written name=value, not "${entry}"`);
    const name = entry.slice(0, at);
    given.set(name, [...(given.get(name) ?? []), entry.slice(at + 1)]);
  }
  return Object.fromEntries([...given].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? "") : all]));
}
