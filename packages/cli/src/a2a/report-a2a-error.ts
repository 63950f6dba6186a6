import type { OutputFormat } from "../command/global-options.ts";
import type { CliContext } from "../context.ts";
import type { ExitCode } from "../exit-codes.ts";
import { describeError } from "../output/describe-error.ts";
import { choosePaint } from "../output/paint.ts";
import { AgentRefusal } from "./agent-errors.ts";
import { toFailure } from "./failures.ts";

export interface ReportOptions {
  readonly output: OutputFormat;
  readonly noColor: boolean;
  /** One line of JSON, where every other one is. */
  readonly stream: boolean;
}

/** Says what went wrong in the envelope of the a2a-cli specification (its Appendix B), and for people on stderr. */
export async function reportA2aError(
  error: unknown,
  context: CliContext,
  { output, noColor, stream }: ReportOptions,
): Promise<ExitCode> {
  const failure = toFailure(error);
  const { code, message, lines, hint, exitCode } = describeError(failure);
  const paint = choosePaint(context.stderr, context.env, noColor);
  const said = [
    `${paint.red("error:")} ${message}`,
    ...lines.map((line) => `  ${line}`),
    ...(hint === undefined ? [] : [`${paint.cyan("hint:")} ${hint}`]),
  ];
  context.stderr.write(`${said.join("\n")}\n`);
  const a2aCode = failure instanceof AgentRefusal ? (failure.a2aCode ?? null) : null;
  const envelope = { error: { code, message, hint: hint ?? null, a2aCode } };
  if (output === "json") context.stdout.write(`${JSON.stringify(envelope, null, stream ? 0 : 2)}\n`);
  if (output === "yaml") {
    const { toYaml } = await import("../output/yaml.ts");
    context.stdout.write(toYaml(envelope));
  }
  return exitCode;
}
