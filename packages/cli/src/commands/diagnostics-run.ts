import { resolve } from "node:path";
import type { ResultOf } from "@cleveragents/protocol";
import { CliError } from "../cli-error.ts";
import type { Command, Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { checksTable } from "../output/checks-table.ts";

type Report = ResultOf<"_cleveragents/diagnostics/run">;

export const command: Command = {
  async run(invocation) {
    const { options, values, output } = invocation;
    const bundle = values.text("bundle");
    const client = await invocation.client();
    const params = bundle === undefined ? {} : { files: true };
    const { files = [], ...report } = await client.call("_cleveragents/diagnostics/run", params, {
      timeoutMs: options.timeoutMs,
    });
    if (bundle === "-") output.raw(await bundleText(invocation, report, files));
    else {
      if (bundle !== undefined) await write(invocation, bundle, await bundleText(invocation, report, files));
      await output.result(report, {
        text: ({ status, service, version, checks }, page) => {
          const { green, yellow, red } = page.paint;
          const paint = { ok: green, warn: yellow, error: red }[status];
          return `${paint(WORDS[status])}: ${service} ${version}\n${checksTable(checks, page)}`;
        },
        names: ({ checks }) => checks.filter(({ status }) => status !== "ok").map(({ id }) => id),
      });
      if (bundle !== undefined)
        output.note(
          `${bundle} is for somebody who helps: read it before you hand it on, it has no credentials`,
        );
    }
    return report.status === "error" ? EXIT.FAILED : EXIT.OK;
  },
};

const WORDS: Readonly<Record<Report["status"], string>> = {
  ok: "everything works",
  warn: "works, with less than there could be",
  error: "something does not work",
};

/** One document that a person can read: what was found, the agent's files, and this command's own side. */
async function bundleText(
  { context, options }: Invocation,
  report: Omit<Report, "files">,
  files: NonNullable<Report["files"]>,
): Promise<string> {
  const { loadConfig } = await import("../config/load-config.ts");
  const { shownValue } = await import("../config/shown-value.ts");
  const settings = await loadConfig(context);
  const document = {
    made_at: new Date(context.now()).toISOString(),
    command: {
      version: context.version(),
      connection: options.server ?? options.transport ?? "socket",
      settings: settings.map((setting) => ({ ...setting, value: shownValue(setting) })),
    },
    report,
    files: Object.fromEntries(files.map(({ name, text }) => [name, text.split("\n")])),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

async function write({ context }: Invocation, file: string, text: string): Promise<void> {
  try {
    await context.writePrivate(resolve(context.cwd, file), text);
  } catch (cause) {
    const why = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new CliError("FILE_UNWRITABLE", `cannot write ${file}: ${why}`, { cause, exitCode: EXIT.FAILED });
  }
}
