import type { ResultOf } from "@cleveragents/protocol";
import { callCommand } from "../command/call-command.ts";
import type { Command, Invocation } from "../command/command.ts";
import { moreNote } from "../command/page.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import type { Page } from "../output/output.ts";
import { table } from "../output/table.ts";
import { bytes } from "../output/words.ts";
import { planIdOf } from "../plan/resolve-plan-id.ts";

type Artifacts = ResultOf<"_cleveragents/plan/artifacts">;

const list = callCommand({
  method: "_cleveragents/plan/artifacts",
  params: async (invocation) => ({
    plan_id: await planIdOf(invocation),
    artifact_id: invocation.values.text("artifact"),
  }),
  text: (result, page) =>
    [filesText(result, page), outputsText(result, page)].filter((text) => text !== "").join("\n\n") ||
    "No artifacts yet.",
  names: ({ artifacts, outputs }) => [
    ...artifacts.map(({ path }) => path),
    ...outputs.map(({ artifact_id }) => artifact_id),
  ],
  note: moreNote,
});

export const command: Command = {
  async run(invocation) {
    const artifact = invocation.values.text("artifact");
    return artifact === undefined || invocation.options.output !== "text"
      ? await list.run(invocation)
      : await printOutput(invocation, artifact);
  },
};

/** All of it, page by page: as it is into a pipe or a file, on a terminal without control characters. */
async function printOutput(invocation: Invocation, artifact_id: string): Promise<ExitCode> {
  const { context, options, output } = invocation;
  const plan_id = await planIdOf(invocation);
  const client = await invocation.client();
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: Artifacts["output"] = (
      await client.call(
        "_cleveragents/plan/artifacts",
        { plan_id, artifact_id, offset },
        { timeoutMs: options.timeoutMs },
      )
    ).output;
    const text = page?.text ?? "";
    output.raw(context.stdout.isTTY ? clean(text) : text);
    offset = page?.next_offset;
  }
  return EXIT.OK;
}

function filesText({ artifacts }: Artifacts, page: Page): string {
  if (artifacts.length === 0) return "";
  return table(
    artifacts,
    [
      { head: "TYPE", cell: ({ type }) => type },
      { head: "PATH", cell: ({ path }) => path },
      { head: "SIZE", cell: ({ size }) => (size === undefined ? "" : bytes(size)), align: "right" },
      { head: "CHANGE", cell: ({ change }) => change, shrinkTo: 10 },
    ],
    page,
  );
}

function outputsText({ outputs }: Artifacts, page: Page): string {
  if (outputs.length === 0) return "";
  return table(
    outputs,
    [
      { head: "OUTPUT", cell: ({ artifact_id }) => artifact_id },
      { head: "SIZE", cell: ({ size }) => bytes(size), align: "right" },
    ],
    page,
  );
}
