import { CliError, usageError } from "../cli-error.ts";
import type { Command } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import { mayAsk } from "../output/may-ask.ts";
import { count, fields } from "../output/words.ts";
import { sessionIdOf } from "../session/resolve-session-id.ts";

export const command: Command = {
  async run(invocation) {
    const { context, options, output, values } = invocation;
    const force = values.isSet("force");
    if (!options.yes && !force && !mayAsk(invocation))
      throw usageError("delete asks first, and there is no terminal to ask on", "add --yes");
    const client = await invocation.client();
    const session_id = await sessionIdOf(invocation);
    if (!options.yes && !force) {
      context.stderr.write(
        `Delete session ${clean(session_id)} and all that was said in it. Only 'yes' will be accepted: `,
      );
      const answer = await context.stdin.readLine();
      if (answer === undefined) context.stderr.write("\n");
      if (answer?.trim() !== "yes") throw new CliError("NOT_CONFIRMED", "nothing was deleted");
    }
    const deleted = await client.call(
      "_cleveragents/session/delete",
      { session_id, force: force || undefined },
      { timeoutMs: options.timeoutMs },
    );
    await output.result(deleted, {
      text: ({ messages_removed, plans_orphaned }) =>
        fields([
          ["Deleted", `${session_id}, with ${count(messages_removed, "message")}`],
          ["Plans that stay", plans_orphaned.join("\n")],
        ]),
      names: (result) => [result.session_id],
    });
    return EXIT.OK;
  },
};
