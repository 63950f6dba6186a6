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
    default: "socket, or http with a URL",
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
  const transport = values.text("transport") as TransportName | undefined; // the parser has checked the choice
  const timeout = values.number("timeout");
  const serverOfEnv =
    transport === undefined || transport === "http" ? given(env["CLEVERAGENTS_SERVER_URL"]) : undefined;
  return {
    output: (values.text("output") as OutputFormat | undefined) ?? "text", // as above
    server: values.text("server") ?? serverOfEnv,
    transport,
    dataDir: values.text("data-dir") ?? given(env["CLEVERAGENTS_DATA_DIR"]),
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    noInput: values.isSet("no-input"),
    yes: values.isSet("yes"),
    noColor: values.isSet("no-color"),
    quiet: values.isSet("quiet"),
    verbose: values.isSet("verbose"),
    debug: values.isSet("debug"),
  };
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
