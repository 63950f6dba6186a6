import type { Client } from "@cleveragents/protocol";
import type { CommandRow } from "./command/command-row.ts";
import {
  type GlobalOptions,
  OUTPUT_FORMATS,
  type OutputFormat,
  readGlobalOptions,
} from "./command/global-options.ts";
import { parseCommandLine } from "./command/parse-command-line.ts";
import type { Values } from "./command/values.ts";
import { commandRows } from "./command-table.ts";
import type { CliContext } from "./context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { choosePaint } from "./output/paint.ts";

/** What comes before the words of a line that a shell is to complete. */
const COMPLETE = "__complete";

/** One run of the command line, from arguments to exit code. Never throws. */
export async function run(context: CliContext): Promise<ExitCode> {
  const { argv, env, stdout, stderr } = context;
  try {
    if (argv[0] === "help")
      return await help(
        argv.slice(1).filter((word) => !word.startsWith("-")),
        context,
      );
    if (argv[0] === COMPLETE) {
      const { completionLines } = await import("./completion/answer.ts");
      stdout.write(completionLines(argv.slice(1), commandRows));
      return EXIT.OK;
    }
    const parsed = parseCommandLine(argv, commandRows);
    switch (parsed.kind) {
      case "version":
        stdout.write(`agents ${context.version()}\n`);
        return EXIT.OK;
      case "help": {
        if (parsed.asked) return await help(parsed.words, context);
        const { helpText } = await import("./command/help.ts");
        stderr.write(`${helpText(parsed.words, commandRows, choosePaint(stderr, env, false))}\n`);
        return EXIT.USAGE;
      }
      case "run":
        return await runCommand(parsed.row, parsed.values, context);
    }
  } catch (error) {
    const { reportError } = await import("./output/report-error.ts");
    return reportError(error, context, { output: formatOf(argv), noColor: argv.includes("--no-color") });
  }
}

async function help(words: readonly string[], context: CliContext): Promise<ExitCode> {
  const { helpText } = await import("./command/help.ts");
  const paint = choosePaint(context.stdout, context.env, context.argv.includes("--no-color"));
  context.stdout.write(`${helpText(words, commandRows, paint)}\n`);
  return EXIT.OK;
}

async function runCommand(row: CommandRow, values: Values, context: CliContext): Promise<ExitCode> {
  const options = readGlobalOptions(values, context.env);
  const [{ Output }, { command }] = await Promise.all([import("./output/output.ts"), row.load()]);
  let opened: Promise<Client> | undefined;
  const client = () => {
    opened ??= open(context, options);
    return opened;
  };
  try {
    return await command.run({ context, options, row, values, output: new Output(context, options), client });
  } finally {
    // A connection that was lost has nothing left to close.
    if (opened !== undefined) await opened.then((c) => c[Symbol.asyncDispose]()).catch(() => undefined);
  }
}

async function open(context: CliContext, options: GlobalOptions): Promise<Client> {
  const { openClient } = await import("./connect/open-client.ts");
  return openClient(context, options);
}

/** The output format as far as it can be told from arguments that may be wrong. */
function formatOf(argv: readonly string[]): OutputFormat {
  const text = argv.join("\n");
  const asked = [...text.matchAll(/(?:^|\n)(?:-o=?|--output[=\n]|-o\n)(\w+)(?=\n|$)/g)].at(-1)?.[1];
  return OUTPUT_FORMATS.find((format) => format === asked) ?? "text";
}
