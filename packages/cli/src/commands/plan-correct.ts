import type { ParamsInputOf } from "@cleveragents/protocol";
import { CliError, usageError } from "../cli-error.ts";
import { readArguments } from "../command/arguments.ts";
import type { Command, Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import { mayAsk } from "../output/may-ask.ts";
import { type Corrected, correctionText } from "../plan/correction-text.ts";
import { resolveDecision } from "../plan/resolve-decision.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

type Params = ParamsInputOf<"_cleveragents/plan/correct">;

export const command: Command = {
  async run(invocation) {
    const { options, output, values } = invocation;
    const dryRun = values.isSet("dry-run");
    const guidance = await guidanceOf(invocation);
    if (!dryRun && guidance === undefined)
      throw usageError("--guidance says what is to be different", "--dry-run shows what would be undone");
    const appends = values.text("mode") === "append";
    if (!dryRun && !appends && !options.yes && !isAnswerable(invocation))
      throw usageError(
        "correct asks before it undoes anything, and there is no terminal to ask on",
        "--dry-run shows what would be undone, --yes undoes it",
      );
    const plan_id = await planIdOf(invocation);
    const client = await invocation.client();
    const call = { timeoutMs: options.timeoutMs };
    const named = values.optionalPositional("DECISION");
    const params: Params = {
      plan_id,
      decision_id:
        named === undefined ? undefined : await resolveDecision(client, plan_id, named, options.timeoutMs),
      guidance,
      mode: values.text("mode") as Params["mode"], // the parser has checked the choice
      action_name: values.text("with-action"),
      arguments: readArguments(values.list("arg")),
    };
    const preview = () => client.call("_cleveragents/plan/correct", { ...params, dry_run: true }, call);
    const shown = async (result: Corrected) => {
      await output.result(result, {
        text: correctionText,
        names: () => [result.correction.new_decision ?? result.correction.corrects],
      });
      return EXIT.OK;
    };
    if (dryRun) return shown(await preview());
    if (!options.yes && !appends) await agree(await preview(), invocation);
    return shown(await client.call("_cleveragents/plan/correct", params, call));
  },
};

async function guidanceOf({ context, values }: Invocation): Promise<string | undefined> {
  const given = values.text("guidance");
  return given === "-" ? (await context.stdin.readAll()).trim() : given;
}

/** What is read from stdin is no answer. */
function isAnswerable(invocation: Invocation): boolean {
  return mayAsk(invocation) && invocation.values.text("guidance") !== "-";
}

async function agree(preview: Corrected, { context }: Invocation): Promise<void> {
  context.stderr.write(`${correctionText(clean(preview))}\nOnly 'yes' will be accepted: `);
  const answer = await context.stdin.readLine();
  if (answer === undefined) context.stderr.write("\n");
  if (answer?.trim() !== "yes") throw new CliError("NOT_CONFIRMED", "nothing was undone");
}
