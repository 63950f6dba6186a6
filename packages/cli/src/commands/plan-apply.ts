import type { ResultOf } from "@cleveragents/protocol";
import { CliError, usageError } from "../cli-error.ts";
import type { Command, Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { mayAsk } from "../output/may-ask.ts";
import { count, fields } from "../output/words.ts";
import { type Diff, summarize } from "../plan/apply-summary.ts";
import { changesText } from "../plan/changes-text.ts";
import { followPlan } from "../plan/follow-plan.ts";
import { outcomeOf } from "../plan/outcome.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";
import { selectionOf } from "../plan/selection.ts";
import { statusText } from "../plan/status-text.ts";
import { whileWriting } from "../plan/while-writing.ts";

type Applied = ResultOf<"_cleveragents/plan/apply">;

export const command: Command = {
  async run(invocation) {
    const { options, output, values } = invocation;
    const selection = selectionOf(values);
    const branch = values.text("branch");
    const where = branch === undefined ? {} : { branch };
    const rehearses = values.isSet("dry-run");
    if (!rehearses && !mayAsk(invocation) && !options.yes && !values.isSet("digest")) {
      throw usageError(
        "apply asks before it writes, and there is no terminal to ask on",
        `agents plan apply ${values.positional("ID")} --digest D applies what was reviewed (agents plan status shows the digest), --yes whatever the plan offers`,
      );
    }
    const plan_id = await planIdOf(invocation);
    const client = await invocation.client();
    const call = { timeoutMs: options.timeoutMs };
    const asked = { plan_id, include_patch: false, ...selection };
    const diff = await client.call("_cleveragents/plan/diff", asked, call);
    assertDigest(diff, values.text("digest"));
    const request = { plan_id, digest: diff.digest, ...selection, ...where };
    if (rehearses) {
      const rehearsal = await client.call("_cleveragents/plan/apply", { ...request, dry_run: true }, call);
      await output.result(rehearsal, {
        text: rehearsalText,
        names: ({ files }) => (files ?? []).map((f) => f.path),
      });
      return EXIT.OK;
    }
    await agree(diff, invocation);
    // What was shown is what is applied: the server refuses another digest.
    const result = await whileWriting(invocation, diff, () =>
      client.call("_cleveragents/plan/apply", request, call),
    );
    if (result.state === "applied" || result.state === "complete" || result.already) {
      await output.result(result, { text: appliedText, names: () => [plan_id] });
      return EXIT.OK;
    }
    const status = await followPlan(invocation, { planId: plan_id });
    await output.result(status, { text: statusText, names: () => [plan_id] });
    return outcomeOf(status, { detailed: false });
  },
};

function assertDigest(diff: Diff, given: string | undefined): void {
  if (given !== undefined && given !== diff.digest) {
    throw new CliError("DIGEST_MISMATCH", `the plan's changes have the digest ${diff.digest}, not ${given}`, {
      hint: `look at them: agents plan diff ${diff.plan_id}`,
      exitCode: EXIT.APPLY_REFUSED,
    });
  }
}

/** Returns when the changes are agreed to, by their digest, by --yes or by a person; throws otherwise. */
async function agree(diff: Diff, { context, options, output, values }: Invocation): Promise<void> {
  if (values.isSet("digest") || options.yes) {
    summarize(diff, output, (line) => output.note(line));
    return;
  }
  summarize(diff, output, (line) => context.stderr.write(`${line}\n`));
  context.stderr.write("Only 'yes' will be accepted: ");
  const answer = await context.stdin.readLine();
  if (answer === undefined) context.stderr.write("\n");
  if (answer?.trim() !== "yes")
    throw new CliError("NOT_CONFIRMED", "nothing was applied", { hint: `agents plan apply ${diff.plan_id}` });
}

/** What would happen to each file. */
function rehearsalText({ files = [], digest, left_out, merged, project }: Applied): string {
  const facts = fields([
    ["Would apply", count(files.length, "file")],
    ["Project", project],
    ["Digest", digest],
    ["Left out", left_out?.paths.join(", ")],
    ["Merged", merged?.join(", ")],
  ]);
  const lines = files.map(
    ({ path, previous_path, action }) =>
      `  ${action.padEnd(7)}  ${previous_path === undefined ? "" : `${previous_path} -> `}${path}`,
  );
  return [facts, ...lines].join("\n");
}

function appliedText(result: Applied): string {
  const { plan_id, project, changes, already, digest, left_out, merged, branch, commit } = result;
  return fields([
    [already ? "Already applied" : "Applied", changes === undefined ? plan_id : changesText(changes)],
    ["Project", project],
    ["Branch", branch],
    ["Commit", commit],
    ["Merged", merged?.join(", ")],
    [
      "Left out",
      left_out === undefined
        ? undefined
        : `${left_out.paths.join(", ")} (agents plan diff ${plan_id} --left-out)`,
    ],
    ["Digest", digest],
    ["Plan", plan_id],
    ["Undo", already || branch !== undefined ? undefined : `agents plan rollback ${plan_id}`],
  ]);
}
