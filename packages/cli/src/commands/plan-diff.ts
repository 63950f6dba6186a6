import type { ResultOf } from "@cleveragents/protocol";
import { usageError } from "../cli-error.ts";
import type { Command } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import type { Output } from "../output/output.ts";
import { count } from "../output/words.ts";
import { diffStat } from "../plan/diff-stat.ts";
import { paintPatch } from "../plan/paint-patch.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";
import { selectionOf } from "../plan/selection.ts";

type Diff = ResultOf<"_cleveragents/plan/diff">;

export const command: Command = {
  async run(invocation) {
    const { context, options, output, values } = invocation;
    const [stat, nameOnly] = [values.isSet("stat"), values.isSet("name-only")];
    if (stat && nameOnly) throw usageError("--stat and --name-only exclude each other");
    const leftOut = values.isSet("left-out");
    const selection = selectionOf(values);
    if (leftOut && Object.keys(selection).length > 0)
      throw usageError("--left-out goes without --only, --exclude and --rebase");
    // Programs take the hunks apart from the patch; people read the patch.
    const hunks = output.format === "text" || options.output === "name" ? {} : { include_hunks: true };
    const part = leftOut ? { left_out: true } : selection;
    const wantsPatch = !stat && !nameOnly && options.output !== "name";
    const plan_id = await planIdOf(invocation);
    const client = await invocation.client();
    const diff = await client.call(
      "_cleveragents/plan/diff",
      { plan_id, include_patch: wantsPatch, ...hunks, ...part },
      { timeoutMs: options.timeoutMs },
    );
    if (output.format !== "text") {
      await output.result(diff, { text: () => "", names: ({ files }) => files.map(({ path }) => path) });
    } else {
      header(diff, output);
      if (nameOnly) output.raw(clean(diff.files.map(({ path }) => `${path}\n`).join("")));
      else if (stat) output.line(diffStat(clean(diff), output.page));
      else output.raw(patchText(diff.patch ?? "", context.stdout.isTTY, output));
    }
    return values.isSet("exit-code") && diff.files.length > 0 ? EXIT.CHANGES : EXIT.OK;
  },
};

/** On stderr, so that stdout can be given to `git apply`. */
function header(diff: Diff, output: Output): void {
  const { plan_id, digest, diff_summary, files, risks } = clean(diff);
  output.note(`Plan ${plan_id}, project ${diff_summary.project}`);
  output.note(
    `Changes ${digest}: ${count(files.length, "file")}, +${diff_summary.insertions} -${diff_summary.deletions}`,
  );
  if (diff.left_out !== undefined) output.note(`Left out: ${clean(diff.left_out.paths.join(", "))}`);
  if (diff.merged !== undefined) output.note(`Merged with the project: ${clean(diff.merged.join(", "))}`);
  const large = files.filter(({ in_patch }) => in_patch === false).map(({ path }) => path);
  if (large.length > 0) output.warn(`too large for the patch, not in it: ${large.join(", ")}`);
  for (const { kind, path, note } of risks) output.warn(`${path}: ${note} (${kind})`);
}

/** Byte for byte into a pipe or a file; on a terminal without control characters. */
function patchText(patch: string, isTerminal: boolean, output: Output): string {
  const whole = patch === "" || patch.endsWith("\n") ? patch : `${patch}\n`;
  return paintPatch(isTerminal ? clean(whole) : whole, output.page.paint);
}
