import { callCommand } from "../command/call-command.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/policy/explain",
  params: ({ values }) => {
    const words = values.all("COMMAND");
    const [only] = words;
    // One word is a text for the shell, as `sh -c` takes it; several are a command that needs none.
    return {
      command: words.length === 1 && only !== undefined ? only : [...words],
      profile: values.text("profile"),
    };
  },
  text: ({ verdict, reason, profile, enforced, commands, unclear }) =>
    fields([
      ["Verdict", `${verdict}: ${reason}`],
      [
        "Profile",
        enforced ? profile : `${profile} (has no rules for commands: its plans are not held to this)`,
      ],
      [
        "Commands",
        commands
          .map(
            (one) =>
              `${"  ".repeat(one.depth)}${one.verdict}  ${one.command}\n${"  ".repeat(one.depth)}       ${one.reason}`,
          )
          .join("\n"),
      ],
      ["Unclear", unclear.join("\n")],
    ]),
  names: ({ verdict }) => [verdict],
});
