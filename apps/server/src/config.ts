import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { findDataDir } from "@cleveragents/transport-stdio/client";
import { type CardSettings, cardSettings, trustedProxies } from "./card-settings.ts";
import { ConfigError } from "./config-error.ts";
import { type JwtSettings, jwtSettings } from "./jwt-settings.ts";
import { DEFAULT_PLAN_CONCURRENCY } from "./plan-concurrency.ts";
import { projectRoots } from "./project-roots.ts";
import { agentsAllowed, fetchAllowed, pushAllowed } from "./push-settings.ts";
import { sandboxSettings } from "./sandbox-settings.ts";
import { sessionSettings } from "./session-settings.ts";
import { urlSetting } from "./url-setting.ts";

export { ConfigError };

export type Environment = Readonly<Record<string, string | undefined>>;

export const MODES = ["start", "owner", "stdio", "demo", "help", "version"] as const;
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
  /** Where the mode `demo` writes to. */
  readonly demoDir: string | undefined;
  readonly publicUrl: string | undefined;
  /** Addresses and networks whose forwarded headers are believed. */
  readonly trustedProxies: readonly string[];
  readonly card: CardSettings;
  readonly jwt: JwtSettings | undefined;
  readonly apiKey: string | undefined;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Undefined: this process owns its data directory alone. */
  readonly database: DatabaseConfig | undefined;
  /** Seconds without work or client after which an owner that nobody started by hand leaves. */
  readonly idleSeconds: number;
}

/** A PostgreSQL that several processes share. */
export interface DatabaseConfig {
  /** Holds a password, as a rule: never to be logged. */
  readonly url: string;
  /** Connections of this process. */
  readonly poolSize: number;
  /** How long a call waits for a database that cannot be reached. */
  readonly timeoutMs: number;
  /** Name of this host in the database, where it is not to be the data directory's own. */
  readonly namespace: string | undefined;
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
  const demoDir = mode === "demo" ? positionals[1] : undefined;
  if (mode === "demo" && demoDir === undefined) throw new ConfigError("demo needs a folder to write to");
  const surplus = positionals[demoDir === undefined ? 1 : 2];
  if (surplus !== undefined) throw new ConfigError(`unexpected "${surplus}"`);
  isolationRequired(env);
  devcontainerHostAccess(env);
  planConcurrency(env);
  sessionSettings(env);
  pushAllowed(env);
  fetchAllowed(env);
  agentsAllowed(env);
  sandboxSettings(env);
  projectRoots(env);
  const given = values["data-dir"];
  const port = values.port ?? env["A2A_PORT"];
  // An empty one is every address of the machine to the system; a variable that is set to nothing is not set.
  const host = values.host || env["A2A_HOST"] || "127.0.0.1";
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
    demoDir: demoDir === undefined ? undefined : resolve(cwd, demoDir),
    publicUrl: urlSetting("A2A_PUBLIC_URL", values["public-url"] ?? env["A2A_PUBLIC_URL"]),
    trustedProxies: trustedProxies(env),
    card: cardSettings(env),
    jwt: jwtSettings(env),
    apiKey: apiKeyOf(env),
    logLevel: logLevel(values["log-level"] ?? (env["LOG_LEVEL"] || (mode === "start" ? "warn" : "info"))),
    database: databaseOf(env),
    idleSeconds: seconds(values["idle-seconds"] ?? (env["CLEVERAGENTS_IDLE_SECONDS"] || "30")),
  };
}

/** What no header can carry would let nobody in, as a key that was read from a file with its line end. */
function apiKeyOf(env: Environment): string | undefined {
  const key = env["API_KEY"] || undefined;
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  // The value stays out of every message.
  throw new ConfigError("API_KEY has a space, a line end or another character that no credential has");
}

/** Throws {@link ConfigError}. */
export function isolationRequired(env: Environment): boolean {
  return yesOrNo(env, "CLEVERAGENTS_REQUIRE_ISOLATION");
}

/** Whether descriptions of dev containers may reach out to the host. Throws {@link ConfigError}. */
export function devcontainerHostAccess(env: Environment): boolean {
  return yesOrNo(env, "CLEVERAGENTS_DEVCONTAINER_HOST_ACCESS");
}

/** Throws for what is neither yes nor no: such a demand must not be lost by a slip. */
function yesOrNo(env: Environment, name: string): boolean {
  const given = env[name] ?? "";
  if (/^(1|true|yes|on)$/i.test(given)) return true;
  if (/^(|0|false|no|off)$/i.test(given)) return false;
  throw new ConfigError(`${name} is "${given}": use 1 or 0`);
}

/** How many plans are carried out at a time. */
export function planConcurrency(env: Environment): number {
  const given = env["CLEVERAGENTS_PLAN_CONCURRENCY"] ?? "";
  if (given === "") return DEFAULT_PLAN_CONCURRENCY;
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= 1000) return number;
  throw new ConfigError(`CLEVERAGENTS_PLAN_CONCURRENCY is "${given}": use a number from 1 to 1000`);
}

/** Runs that the engine works on at a time: plans that are carried out, and what other plans do at once. */
export function engineConcurrency(env: Environment): number {
  return planConcurrency(env) + 8;
}

/** Below this, the stores would wait for each other: one connection writes, one listens, the engine has three. */
const SMALLEST_POOL = 6;

function databaseOf(env: Environment): DatabaseConfig | undefined {
  const url = env["DATABASE_URL"] ?? "";
  if (url === "") return undefined;
  // The value stays out of every message: it has a password in it.
  const scheme = URL.canParse(url) ? new URL(url).protocol : "";
  if (scheme !== "postgresql:" && scheme !== "postgres:")
    throw new ConfigError(
      "DATABASE_URL is no address of a PostgreSQL: use postgresql://user:password@host:port/database",
    );
  const poolSize = Number(env["DATABASE_POOL_SIZE"] || "10");
  if (!Number.isInteger(poolSize) || poolSize < SMALLEST_POOL || poolSize > 1000)
    throw new ConfigError(
      `DATABASE_POOL_SIZE is "${env["DATABASE_POOL_SIZE"]}": use a number of connections from ${SMALLEST_POOL} to 1000`,
    );
  const timeout = Number(env["DATABASE_TIMEOUT"] || "30");
  if (!(timeout >= 1 && timeout <= 3600))
    throw new ConfigError(
      `DATABASE_TIMEOUT is "${env["DATABASE_TIMEOUT"]}": use a number of seconds from 1 to 3600`,
    );
  const namespace = env["CLEVERAGENTS_ENGINE_NAMESPACE"] || undefined;
  if (namespace !== undefined && !/^[\w.-]{1,100}$/.test(namespace))
    throw new ConfigError(
      `CLEVERAGENTS_ENGINE_NAMESPACE is "${namespace}": use letters, digits, ".", "_" and "-", at most 100`,
    );
  return { url, poolSize, timeoutMs: timeout * 1000, namespace };
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

export const USAGE = `Usage: cleveragents-server [start|owner|stdio|demo DIR] [options]

  start    serve HTTP and the local socket (default)
  owner    serve the local socket only; started by clients, leaves when idle
  stdio    speak the protocol on standard input and output, for the owner of the data directory
  demo     write the demo project to DIR, and say in JSON what to register; agents demo does the rest

  --host HOST        address to listen on (A2A_HOST, 127.0.0.1)
  --port PORT        port to listen on (A2A_PORT, 8000; the next free one if that is taken and was not asked for)
  --data-dir DIR     where everything is kept (CLEVERAGENTS_DATA_DIR, ./.cleveragents)
  --public-url URL   address that the agent card names (A2A_PUBLIC_URL)
  --no-auth          ask for no credential; on loopback only
  --demo             make a demo project and plan if there is none
  --log-level LEVEL  debug, info, warn, error, silent (LOG_LEVEL; warn, for an owner info)
  --idle-seconds N   owner: leave after so long without work or client (30)
  -h, --help         -V, --version

DATABASE_URL=postgresql://… keeps everything but the plans' files in a PostgreSQL that several servers may share;
DATABASE_POOL_SIZE (10) are the connections of each, DATABASE_TIMEOUT (30) the seconds that a call waits for it, and
CLEVERAGENTS_ENGINE_NAMESPACE (the data directory's own) is the name of this host's plans among those of others.
CLEVERAGENTS_PLAN_CONCURRENCY (4) is how many plans are carried out at a time; others stand in line, and those that
wait for somebody do not count.
CLEVERAGENTS_NAMESPACE_BUDGETS=NAMESPACE:KIND=N,…;… is what the plans of a namespace's projects may use together in a day.
CLEVERAGENTS_SANDBOX_QUOTA_MB (what the disk has) is how large a project may be to be copied into a sandbox, and
CLEVERAGENTS_SANDBOX_KEEP_HOURS (336) how long the sandboxes of plans that have failed or were cancelled stay.
CLEVERAGENTS_DEPENDENCY_COPY_MB (2000) is how much of ignored dependency folders is copied for commands where they cannot
be shown otherwise, and CLEVERAGENTS_OUTPUT_QUOTA_MB (1000) how much of commands' long outputs is kept.
SESSION_TIMEOUT (3600) is after how many seconds a session that nobody uses is suspended, until somebody does, and
MAX_CONCURRENT_SESSIONS (100) how many sessions a caller may have in use.
CLEVERAGENTS_PROJECT_ROOTS=FOLDER:… are folders below which callers without the scope trust:write may have projects.
CLEVERAGENTS_SKILLS_PATH=FOLDER:… are folders that skills are looked for in, besides those of projects and the home.
CLEVERAGENTS_PUSH_ALLOW=HOST[:PORT],RANGE,… lets notifications be posted to addresses of internal networks too.
CLEVERAGENTS_FETCH_ALLOW=… lets plans read pages there, where their profile lets them use the network.
CLEVERAGENTS_AGENTS_ALLOW=… lets actors that work elsewhere be there.
CLEVERAGENTS_REQUIRE_ISOLATION=1 lets no plan run where its commands cannot be isolated.
CLEVERAGENTS_DEVCONTAINER_COMMAND (devcontainer) starts dev containers for plans that ask for them, and
CLEVERAGENTS_DEVCONTAINER_HOST_ACCESS=1 lets their descriptions reach out to this host.
A2A_TRUSTED_PROXIES (none) are addresses whose X-Forwarded-* headers say where the agent is reached.
A2A_PROVIDER_NAME and A2A_PROVIDER_URL, A2A_DOCUMENTATION_URL and A2A_ICON_URL stand in the agent card, which is signed
with A2A_CARD_SIGNING_KEY (path of a PEM or JWK file), A2A_CARD_SIGNING_KID and A2A_CARD_SIGNING_JKU.
A2A_JWT_ISSUER, A2A_JWT_AUDIENCE and A2A_JWT_JWKS_URL let in callers with bearer tokens of that issuer; with them
A2A_JWT_ALGORITHMS, A2A_JWT_CLOCK_SKEW (30), A2A_JWT_SCOPES, A2A_JWT_TENANT_CLAIM and A2A_JWT_OIDC_URL.
API_KEY in the environment is a key that is accepted as "Authorization: Bearer" or "X-API-Key".
`;
