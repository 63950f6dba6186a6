import { parseArgs } from "node:util";
import { findDataDir } from "@cleveragents/transport-stdio/client";

export type Environment = Readonly<Record<string, string | undefined>>;

export const MODES = ["start", "owner", "stdio", "help", "version"] as const;
export type Mode = (typeof MODES)[number];

export interface Config {
  readonly mode: Mode;
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** The port was asked for: another one is not taken in its place. */
  readonly portGiven: boolean;
  readonly auth: boolean;
  readonly demo: boolean;
  readonly publicUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Seconds without work or client after which an owner that nobody started by hand leaves. */
  readonly idleSeconds: number;
}

/** A setting that cannot be; the message says which and what to do. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const OPTIONS = {
  host: { type: "string" },
  port: { type: "string" },
  "data-dir": { type: "string" },
  "no-auth": { type: "boolean" },
  demo: { type: "boolean" },
  "public-url": { type: "string" },
  "log-level": { type: "string" },
  "idle-seconds": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
} as const;

/** Flags before environment before defaults. Throws {@link ConfigError}. */
export function readConfig(argv: readonly string[], env: Environment, cwd: string, home: string): Config {
  const { values, positionals } = parse(argv);
  const word = positionals[0] ?? "start";
  const mode =
    values.help === true
      ? "help"
      : values.version === true
        ? "version"
        : MODES.find((known) => known === word);
  if (mode === undefined) throw new ConfigError(`unknown command "${word}": use one of ${MODES.join(", ")}`);
  if (positionals.length > 1) throw new ConfigError(`unexpected "${positionals[1]}"`);
  const given = values["data-dir"];
  const port = values.port ?? env["A2A_PORT"];
  const host = values.host ?? env["A2A_HOST"] ?? "127.0.0.1";
  const auth = values["no-auth"] !== true;
  if (!auth && !isLoopback(host)) {
    throw new ConfigError(
      `--no-auth serves everybody who reaches ${host}: bind to 127.0.0.1, or leave --no-auth out and set API_KEY`,
    );
  }
  return {
    mode,
    // A server that is started by hand keeps its data where it is started; clients look upwards for it.
    dataDir: findDataDir({
      cwd,
      home: mode === "start" ? cwd : home,
      env: given === undefined ? startEnvironment(mode, env, cwd) : { CLEVERAGENTS_DATA_DIR: given },
    }),
    host,
    port: port === undefined || port === "" ? 8000 : portNumber(port),
    portGiven: values.port !== undefined,
    auth,
    demo: values.demo === true,
    publicUrl: values["public-url"] ?? env["A2A_PUBLIC_URL"],
    apiKey: env["API_KEY"] === "" ? undefined : env["API_KEY"],
    logLevel: logLevel(values["log-level"] ?? env["LOG_LEVEL"] ?? (mode === "start" ? "warn" : "info")),
    idleSeconds: seconds(values["idle-seconds"] ?? env["CLEVERAGENTS_IDLE_SECONDS"] ?? "30"),
  };
}

function startEnvironment(mode: Mode, env: Environment, cwd: string): Environment {
  const set = env["CLEVERAGENTS_DATA_DIR"];
  return mode === "start" && (set === undefined || set === "")
    ? { CLEVERAGENTS_DATA_DIR: `${cwd}/.cleveragents` }
    : env;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError(`"${text}" is not a port: use a number from 0 to 65535`);
  return port;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new ConfigError(`"${text}" is not a number of seconds`);
  return value;
}

function logLevel(text: string): Config["logLevel"] {
  const level = text.toLowerCase();
  const known = (["debug", "info", "warn", "error", "silent"] as const).find(
    (name) => name === level || (name === "warn" && level === "warning"),
  );
  if (known === undefined)
    throw new ConfigError(`"${text}" is not a log level: use debug, info, warn, error or silent`);
  return known;
}

export const USAGE = `Usage: cleveragents-server [start|owner|stdio] [options]

  start    serve HTTP and the local socket (default)
  owner    serve the local socket only; started by clients, leaves when idle
  stdio    speak the protocol on standard input and output, for the owner of the data directory

  --host HOST        address to listen on (A2A_HOST, 127.0.0.1)
  --port PORT        port to listen on (A2A_PORT, 8000; the next free one if that is taken and was not asked for)
  --data-dir DIR     where everything is kept (CLEVERAGENTS_DATA_DIR, ./.cleveragents)
  --public-url URL   address that the agent card names (A2A_PUBLIC_URL)
  --no-auth          ask for no credential; on loopback only
  --demo             make a demo project and plan if there is none
  --log-level LEVEL  debug, info, warn, error, silent (LOG_LEVEL; warn, for an owner info)
  --idle-seconds N   owner: leave after so long without work or client (30)
  -h, --help         -V, --version

API_KEY in the environment is a key that is accepted as "Authorization: Bearer" or "X-API-Key".
`;
