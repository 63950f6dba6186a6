import type { OutputFormat } from "../command/global-options.ts";
import type { CliContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { describeError, type ErrorDescription } from "./describe-error.ts";
import { choosePaint } from "./paint.ts";

/**
 * Says on stderr what went wrong, always as text; with `-o json|yaml` the same stands on stdout as the one document
 * `{ "error": { code, message, hint } }`, so that a script reads one stream whatever happens.
 */
export async function reportError(
  error: unknown,
  context: CliContext,
  options: {
    readonly output: OutputFormat;
    readonly noColor: boolean;
    /** stdout is JSON lines, of which this is the last. */
    readonly stream?: boolean;
  },
): Promise<ExitCode> {
  const description = behindProxy(describeError(error), context.env);
  const paint = choosePaint(context.stderr, context.env, options.noColor);
  const lines = [
    // Whoever pressed Ctrl-C has made no error.
    `${description.exitCode === EXIT.INTERRUPTED ? "" : `${paint.red("error:")} `}${description.message}`,
    // Places in a document begin their line, so that editors and CI find them.
    ...description.lines.map((line) => (description.code === "DOCUMENT_INVALID" ? line : `  ${line}`)),
    ...(description.hint === undefined ? [] : [`${paint.cyan("hint:")} ${description.hint}`]),
  ];
  context.stderr.write(`${lines.join("\n")}\n`);
  if (options.output === "json")
    context.stdout.write(`${JSON.stringify(envelope(description), null, options.stream === true ? 0 : 2)}\n`);
  if (options.output === "yaml") {
    const { toYaml } = await import("./yaml.ts");
    context.stdout.write(toYaml(envelope(description)));
  }
  return description.exitCode;
}

function envelope({ code, message, hint, a2aCode, data }: ErrorDescription) {
  return {
    error: {
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(a2aCode === undefined ? {} : { a2aCode }),
      ...(data === undefined ? {} : { data }),
    },
  };
}

/** Where nobody answers, the proxy may be the one. */
function behindProxy(description: ErrorDescription, env: CliContext["env"]): ErrorDescription {
  const variable = PROXIES.find((name) => (env[name] ?? "") !== "");
  if (
    description.code !== "NOT_CONNECTED" ||
    variable === undefined ||
    !/https?:\/\//.test(description.message)
  )
    return description;
  return {
    ...description,
    hint: `requests go through ${variable}: does that proxy answer? ${description.hint ?? ""}`.trim(),
  };
}

const PROXIES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];
