import { basename, dirname, join, resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import { callCommand } from "../command/call-command.ts";
import type { Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/registry/skill/validate",
  params: async (invocation) => ({
    ...(await readSkill(invocation)),
    strict: invocation.values.isSet("strict"),
  }),
  text: ({ valid, strict, name, version, description, format, diagnostics, ...found }) =>
    fields([
      ["Verdict", valid ? `valid${strict ? " for the reference validator too" : ""}` : "invalid"],
      ["Skill", name === undefined ? undefined : `${name} ${version} (${format})`],
      ["Description", description],
      [
        "Steps",
        found.steps
          .map(({ number, title, commands }) =>
            [`${number}. ${title}`, ...commands.map((command) => `   ${command}`)].join("\n"),
          )
          .join("\n"),
      ],
      ["Done when", found.definition_of_done.join("\n")],
      [
        "Asks to use",
        found.allowed_tools
          ?.map(({ pattern, tools }) => `${pattern}: ${tools.join(", ") || "no tool here"}`)
          .join("\n"),
      ],
      ["Needs", found.resource_slots.join(", ")],
      [
        "Costs",
        found.tokens === undefined
          ? undefined
          : `about ${found.tokens.discover} tokens to be known, ${found.tokens.activate} to be activated`,
      ],
      [
        "Diagnostics",
        diagnostics
          .map(
            ({ level, code, message, line }) =>
              `${level}${line === undefined ? "" : ` in line ${line}`}: ${message} [${code}]`,
          )
          .join("\n"),
      ],
    ]),
  names: ({ name }) => (name === undefined ? [] : [name]),
  exitCode: ({ valid }) => (valid ? EXIT.OK : EXIT.FAILED),
});

/** PATH is the folder, or the file in it. */
async function readSkill({ context, values }: Invocation): Promise<{ document: string; folder: string }> {
  const given = values.positional("PATH");
  const at = resolve(context.cwd, given);
  for (const file of [join(at, "SKILL.md"), join(at, "skill.md"), at]) {
    const document = await context.readFile(file).catch(() => undefined);
    if (document !== undefined) return { document, folder: basename(dirname(file)) || "/" };
  }
  throw new CliError("FILE_UNREADABLE", `cannot read ${given}: there is no SKILL.md`, {
    exitCode: EXIT.USAGE,
  });
}
