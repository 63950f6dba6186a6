import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "_cleveragents/invariant/add",
  params: ({ values }) => {
    const deny = values.list("deny-path");
    const allow = values.list("allow-path");
    return {
      text: values.positional("TEXT"),
      name: values.text("name"),
      global: values.isSet("global") ? true : undefined,
      projects: several(values.text("project")),
      actions: several(values.text("action")),
      plan_ids: several(values.text("plan")),
      non_overridable: values.isSet("non-overridable") ? true : undefined,
      check: values.text("check"),
      command: values.text("command"),
      paths: deny.length + allow.length === 0 ? undefined : pathsOf(allow, deny),
    };
  },
  text: ({ invariants }) =>
    invariants
      .map(({ id, scope, source }) => `Added ${id} (${scope === "global" ? scope : `${scope} ${source}`})`)
      .join("\n"),
  names: ({ invariants }) => invariants.map(({ id }) => id),
});

function pathsOf(allow: readonly string[], deny: readonly string[]) {
  return {
    ...(allow.length === 0 ? {} : { allow: [...allow] }),
    ...(deny.length === 0 ? {} : { deny: [...deny] }),
  };
}

/** Names with commas between them. */
function several(text: string | undefined): string[] | undefined {
  return text === undefined
    ? undefined
    : text
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
}
