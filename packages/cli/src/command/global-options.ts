import { usageError } from "../cli-error.ts";
import { TRANSPORTS, type TransportName } from "../connect/connect-request.ts";
import type { CliContext } from "../context.ts";
import type { Flags } from "./command-row.ts";
import type { Values } from "./values.ts";

export const OUTPUT_FORMATS = ["text", "json", "yaml", "name"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Flags that every command takes. */
export const GLOBAL_FLAGS = {
  output: {
    type: "string",
    short: "o",
    value: "FORMAT",
    choices: OUTPUT_FORMATS,
    default: "text",
    env: "CLEVERAGENTS_FORMAT",
    summary: "what stdout gets",
  },
  server: {
    type: "string",
    value: "URL",
    env: "CLEVERAGENTS_SERVER_URL",
    summary: "an agent that is served over HTTP",
  },
  transport: {
    type: "string",
    value: "KIND",
    choices: TRANSPORTS,
    default: "socket",
    env: "CLEVERAGENTS_TRANSPORT",
    summary: "how to speak to it",
  },
  "data-dir": {
    type: "string",
    value: "DIR",
    env: "CLEVERAGENTS_DATA_DIR",
    summary: "where the local agent keeps its data",
  },
  timeout: {
    type: "number",
    value: "S",
    default: "none",
    env: "CLEVERAGENTS_TIMEOUT",
    summary: "seconds to wait for an answer, or for a plan",
  },
  "no-input": { type: "boolean", summary: "never ask; fail instead" },
  yes: { type: "boolean", short: "y", summary: "answer yes to what would be asked" },
  "no-color": { type: "boolean", env: "NO_COLOR", summary: "no colour" },
  quiet: { type: "boolean", short: "q", summary: "no progress and no notes on stderr" },
  verbose: { type: "boolean", short: "v", summary: "more on stderr, such as the output of tools" },
  debug: { type: "boolean", summary: "show every message on stderr, without secrets" },
  help: { type: "boolean", short: "h", summary: "what a command does" },
  version: { type: "boolean", short: "V", summary: "the version of this command" },
} as const satisfies Flags;

export interface GlobalOptions {
  readonly output: OutputFormat;
  readonly server: string | undefined;
  readonly transport: TransportName | undefined;
  readonly dataDir: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly noInput: boolean;
  readonly yes: boolean;
  readonly noColor: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
}

/** Flag before environment. A transport that is named by a flag overrides a server URL of the environment. */
export function readGlobalOptions(values: Values, env: CliContext["env"]): GlobalOptions {
  const asked = values.text("transport") as TransportName | undefined; // the parser has checked the choice
  const timeout = values.number("timeout") ?? secondsIn(env, "CLEVERAGENTS_TIMEOUT");
  const serverOfEnv =
    asked === undefined || asked === "http" ? given(env["CLEVERAGENTS_SERVER_URL"]) : undefined;
  const server = values.text("server") ?? serverOfEnv;
  const usual = server === undefined ? choiceIn(env, "CLEVERAGENTS_TRANSPORT", TRANSPORTS) : undefined;
  const output = values.text("output") as OutputFormat | undefined; // as above
  return {
    output: output ?? choiceIn(env, "CLEVERAGENTS_FORMAT", OUTPUT_FORMATS) ?? "text",
    server,
    transport: asked ?? usual,
    dataDir: values.text("data-dir") ?? given(env["CLEVERAGENTS_DATA_DIR"]),
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    noInput: values.isSet("no-input"),
    yes: values.isSet("yes"),
    noColor: values.isSet("no-color") || env["CLEVERAGENTS_COLOR"] === "false",
    quiet: values.isSet("quiet"),
    verbose: values.isSet("verbose"),
    debug: values.isSet("debug"),
  };
}

function choiceIn<T extends string>(
  env: CliContext["env"],
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = given(env[name]);
  const choice = choices.find((known) => known === value);
  if (value !== undefined && choice === undefined)
    throw usageError(`${name} is one of ${choices.join(", ")}, not "${value}"`);
  return choice;
}

function secondsIn(env: CliContext["env"], name: string): number | undefined {
  const value = given(env[name]);
  if (value === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(value) || Number(value) <= 0)
    throw usageError(`${name} is a positive number, not "${value}"`);
  return Number(value);
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
