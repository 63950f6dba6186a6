import type { ResultOf } from "@cleveragents/protocol";
import { CliError, usageError } from "../cli-error.ts";
import type { Command, Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import { mayAsk } from "../output/may-ask.ts";
import { bytes, count } from "../output/words.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

type Collected = ResultOf<"_cleveragents/sandbox/gc">;

export const command: Command = {
  async run(invocation) {
    const { options, output, values } = invocation;
    const plan_id = values.optionalPositional("ID") === undefined ? undefined : await planIdOf(invocation);
    const dryRun = values.isSet("dry-run");
    const agreed = options.yes || values.isSet("force");
    if (!dryRun && !agreed && !mayAsk(invocation))
      throw usageError(
        "gc asks before it removes, and there is no terminal to ask on",
        "agents sandbox gc --dry-run says what would go, --yes removes it",
      );
    const client = await invocation.client();
    const call = { timeoutMs: options.timeoutMs };
    const params = { plan_id, older_than: seconds(values.number("older-than")) };
    const preview = () => client.call("_cleveragents/sandbox/gc", { ...params, dry_run: true }, call);
    const found = dryRun || !agreed ? await preview() : undefined;
    if (!dryRun && found !== undefined && found.total > 0) await agree(found, invocation);
    const result =
      found !== undefined && (dryRun || found.total === 0)
        ? found
        : await client.call("_cleveragents/sandbox/gc", params, call);
    await output.result(result, {
      text: collectedText,
      names: ({ sandboxes }) => sandboxes.map(({ plan_id }) => plan_id),
    });
    return EXIT.OK;
  },
};

function seconds(hours: number | undefined): number | undefined {
  return hours === undefined ? undefined : hours * 3600;
}

async function agree(found: Collected, { context }: Invocation): Promise<void> {
  context.stderr.write(`${listing(found)}\nOnly 'yes' will be accepted: `);
  const answer = await context.stdin.readLine();
  if (answer === undefined) context.stderr.write("\n");
  if (answer?.trim() !== "yes") throw new CliError("NOT_CONFIRMED", "nothing was removed");
}

function listing(found: Collected): string {
  const { sandboxes } = clean(found);
  const lines = sandboxes.map(
    ({ plan_id, state, bytes: size, unapplied_work }) =>
      `  ${plan_id}  ${state}  ${bytes(size)}${unapplied_work ? "  holds work that was not applied" : ""}`,
  );
  return [`Remove what is kept for ${count(sandboxes.length, "plan")}:`, ...lines].join("\n");
}

function collectedText(collected: Collected): string {
  const { sandboxes, bytes_freed, dry_run } = collected;
  if (sandboxes.length === 0) return "Nothing to remove.";
  if (dry_run) return listing(collected).replace("Remove", "Would remove");
  const removed = sandboxes.filter((sandbox) => sandbox.removed).length;
  const busy = sandboxes.length - removed;
  return `Removed ${removed} of ${sandboxes.length}, ${bytes(bytes_freed)}${busy === 0 ? "" : "; the others are in use: try again"}`;
}
