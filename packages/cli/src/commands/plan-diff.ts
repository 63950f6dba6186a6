import type { ResultOf } from "@cleveragents/protocol";
import { usageError } from "../cli-error.ts";
import type { Command, Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import type { Output } from "../output/output.ts";
import { count } from "../output/words.ts";
import { diffStat } from "../plan/diff-stat.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";
import { selectionOf } from "../plan/selection.ts";
import { showPatch } from "../plan/show-patch.ts";

type Diff = ResultOf<"_cleveragents/plan/diff">;

export const command: Command = {
  async run(invocation) {
    const { options, output, values } = invocation;
    const [stat, nameOnly, tool] = [values.isSet("stat"), values.isSet("name-only"), values.text("tool")];
    if ([stat, nameOnly, tool !== undefined].filter(Boolean).length > 1)
      throw usageError("--stat, --name-only and --tool exclude each other");
    if (tool !== undefined && options.output !== "text")
      throw usageError(`--tool shows the changes itself, without -o ${options.output}`);
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
      else if (tool !== undefined) await openTool(tool, diff, invocation);
      else await showPatch(diff.patch ?? "", invocation, !values.isSet("no-pager"));
    }
    return values.isSet("exit-code") && diff.files.length > 0 ? EXIT.CHANGES : EXIT.OK;
  },
};

async function openTool(tool: string, diff: Diff, invocation: Invocation): Promise<void> {
  const { openDiffTool } = await import("../plan/diff-tool.ts");
  await openDiffTool(tool, diff, invocation);
}

/** On stderr, so that stdout can be given to `git apply`. */
function header(diff: Diff, output: Output): void {
  const { plan_id, digest, diff_summary, files, risks } = clean(diff);
  const { project, insertions, deletions } = diff_summary;
  output.note(
    `Plan ${plan_id}, project ${project}: ${count(files.length, "file")}, +${insertions} -${deletions}`,
  );
  output.note(`Digest ${digest}`);
  if (diff.left_out !== undefined) output.note(`Left out: ${clean(diff.left_out.paths.join(", "))}`);
  if (diff.merged !== undefined) output.note(`Merged with the project: ${clean(diff.merged.join(", "))}`);
  const large = files.filter(({ in_patch }) => in_patch === false).map(({ path }) => path);
  if (large.length > 0) output.warn(`too large for the patch, not in it: ${large.join(", ")}`);
  for (const { kind, path, note } of risks) output.warn(`${path}: ${note} (${kind})`);
}
