import type { Client } from "@cleveragents/protocol";
import type { CommandRow } from "./command/command-row.ts";
import {
  type GlobalOptions,
  OUTPUT_FORMATS,
  type OutputFormat,
  readGlobalOptions,
} from "./command/global-options.ts";
import { parseCommandLine, wordsOf } from "./command/parse-command-line.ts";
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
  // How an error is reported, as far as that is known.
  const said = { output: formatOf(argv), noColor: argv.includes("--no-color") };
  try {
    if (argv[0] === "help")
      return await help(
        argv.slice(1).filter((word) => !word.startsWith("-")),
        context,
      );
    if (argv[0] === COMPLETE) {
      const [{ completionLines }, { listThings }] = await Promise.all([
        import("./completion/answer.ts"),
        import("./completion/list-things.ts"),
      ]);
      stdout.write(await completionLines(argv.slice(1), commandRows, listThings(argv, context, run)));
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
        return await runCommand(parsed.row, parsed.values, context, said);
    }
  } catch (error) {
    if (speaksToAnyAgent(argv)) {
      const { reportA2aError } = await import("./a2a/report-a2a-error.ts");
      return reportA2aError(error, context, { ...said, stream: argv.includes("--stream") });
    }
    const { reportError } = await import("./output/report-error.ts");
    return reportError(error, context, { ...said, stream: argv.includes("--stream") });
  }
}

async function help(words: readonly string[], context: CliContext): Promise<ExitCode> {
  const { helpText } = await import("./command/help.ts");
  const paint = choosePaint(context.stdout, context.env, context.argv.includes("--no-color"));
  const text = helpText(words, commandRows, paint);
  const { columns, isTTY } = context.stdout;
  if (!isTTY || columns === undefined) context.stdout.write(`${text}\n`);
  else {
    const { foldHelp } = await import("./output/fold.ts");
    context.stdout.write(`${foldHelp(text, columns)}\n`);
  }
  return EXIT.OK;
}

async function runCommand(
  row: CommandRow,
  values: Values,
  given: CliContext,
  said: { output: OutputFormat; noColor: boolean },
): Promise<ExitCode> {
  const context = row.configures === true ? given : await configured(given);
  const options = readGlobalOptions(values, context.env);
  Object.assign(said, { output: options.output, noColor: options.noColor });
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

/** What files of configuration say stands where variables are read. */
async function configured(context: CliContext): Promise<CliContext> {
  const { withConfig } = await import("./config/load-config.ts");
  return { ...context, env: await withConfig(context), unconfiguredEnv: context.env };
}

async function open(context: CliContext, options: GlobalOptions): Promise<Client> {
  const { openClient } = await import("./connect/open-client.ts");
  return openClient(context, options);
}

/** Commands of the a2a-cli specification, whose errors have its codes. */
function speaksToAnyAgent(argv: readonly string[]): boolean {
  const [noun, verb] = wordsOf(argv, commandRows);
  return noun === "a2a" && verb !== "session";
}

/** The output format as far as it can be told from arguments that may be wrong. */
function formatOf(argv: readonly string[]): OutputFormat {
  const text = argv.join("\n");
  const asked = [...text.matchAll(/(?:^|\n)(?:-o=?|--output[=\n]|-o\n)(\w+)(?=\n|$)/g)].at(-1)?.[1];
  return OUTPUT_FORMATS.find((format) => format === asked) ?? "text";
}
