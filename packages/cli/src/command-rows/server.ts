import type { CommandRow, Flags } from "../command/command-row.ts";

/** As in `oauth/declared-oauth.ts`, which is loaded when it is asked for. */
const FLOWS = ["device", "authorization-code", "client-credentials"];

/** How tokens are had where the card of an agent declares OAuth or OpenID Connect. */
export const oauthFlags = {
  flow: {
    type: "string",
    value: "FLOW",
    choices: FLOWS,
    summary: "how to sign in (the card's)",
  },
  "client-id": { type: "string", value: "ID", summary: "what the issuer of tokens calls this command" },
  "client-secret-file": { type: "string", value: "FILE", summary: "its secret, if it has one; - is stdin" },
  scope: { type: "string", value: "S", default: "the card's", summary: "what to ask for" },
} as const satisfies Flags;

const URL_ARGUMENT = {
  name: "URL",
  summary: "https://agents.example; the configured one without it",
  optional: true,
} as const;

/** Whom this command speaks to, and as whom. */
export const serverCommands: readonly CommandRow[] = [
  {
    path: ["login"],
    summary: "Sign in at a server.",
    details:
      "Takes a token or an API key from FILE, or asks for it; where the server's card declares OAuth or OpenID\n" +
      "Connect, a token is had from there (--flow). It is tried before it is kept: for this server alone, in\n" +
      "credentials.json beside your configuration, which nobody else can read. CLEVERAGENTS_SERVER_TOKEN stands\n" +
      "over it.",
    positionals: [URL_ARGUMENT],
    flags: {
      "token-file": { type: "string", value: "FILE", summary: "the token or key; - is stdin" },
      ...oauthFlags,
    },
    examples: [
      { command: "agents login https://agents.example" },
      { command: "agents login https://agents.example --token-file - < key.txt" },
      { command: "agents login https://agents.example --flow device --client-id agents-cli" },
    ],
    seeAlso: ["logout", "server connect", "server status", "auth key create"],
    load: () => import("../commands/login.ts"),
  },
  {
    path: ["logout"],
    summary: "Forget a sign-in.",
    details: "A key stays good on its server until it is ended there: agents auth key revoke.",
    positionals: [URL_ARGUMENT],
    flags: { all: { type: "boolean", summary: "of every server and agent" } },
    examples: [{ command: "agents logout https://agents.example" }, { command: "agents logout --all" }],
    seeAlso: ["login", "auth key revoke"],
    load: () => import("../commands/logout.ts"),
  },
  {
    path: ["server", "connect"],
    summary: "Speak to a server from now on, in the place of the local agent.",
    details: "Asks the server who it is first, and writes server.url into your configuration.",
    positionals: [{ name: "URL", summary: "https://agents.example" }],
    examples: [{ command: "agents server connect https://agents.example" }],
    seeAlso: ["server status", "server disconnect", "login", "help connection"],
    load: () => import("../commands/server-connect.ts"),
  },
  {
    path: ["server", "status"],
    summary: "Which agent is spoken to, and whether it answers.",
    details: "Starts nothing. Exit code 3 when the server does not answer, 4 when it does not let you in.",
    examples: [
      { command: "agents server status" },
      { command: "agents server status --server https://agents.example -o json" },
    ],
    seeAlso: ["server connect", "login", "health check"],
    load: () => import("../commands/server-status.ts"),
  },
  {
    path: ["server", "disconnect"],
    summary: "Speak to the local agent again.",
    configures: true,
    examples: [{ command: "agents server disconnect" }],
    seeAlso: ["server connect", "logout"],
    load: () => import("../commands/server-disconnect.ts"),
  },
  {
    path: ["serve"],
    aliases: [["server", "start"]],
    summary: "Serve the local agent over HTTP, until Ctrl-C.",
    details:
      "Starts cleveragents-server on the data directory that this command uses too. The first line says where it\n" +
      "is reached; logs are on stderr. What else can be set is in its variables: cleveragents-server --help.",
    flags: {
      host: {
        type: "string",
        value: "HOST",
        default: "127.0.0.1",
        env: "A2A_HOST",
        summary: "address to listen on",
      },
      port: {
        type: "string",
        value: "PORT",
        default: "8000, or the next free one",
        env: "A2A_PORT",
        summary: "port to listen on",
      },
      "public-url": {
        type: "string",
        value: "URL",
        env: "A2A_PUBLIC_URL",
        summary: "address that the agent's card names",
      },
      "no-auth": { type: "boolean", summary: "ask for no credential; on loopback only" },
      demo: { type: "boolean", summary: "make a demo project and plan if there is none" },
      "log-level": {
        type: "string",
        value: "LEVEL",
        choices: ["debug", "info", "warn", "error", "silent"],
        default: "warn",
        env: "LOG_LEVEL",
        summary: "what the log says",
      },
    },
    examples: [
      { command: "agents serve" },
      { command: "agents serve --port 9000 --public-url https://agents.example" },
    ],
    seeAlso: ["auth key create", "server connect"],
    load: () => import("../commands/serve.ts"),
  },
];

/** The first steps. */
export const firstCommands: readonly CommandRow[] = [
  {
    path: ["init"],
    summary: "Make the repository that you are in a project.",
    details:
      "Finds the project's folder (the nearest one upwards with .git, else this one), registers it, and writes\n" +
      ".cleveragents.toml. Run again it changes nothing.",
    flags: {
      name: {
        type: "string",
        value: "NAME",
        default: "local/ and the folder's name",
        summary: "what to call it",
      },
    },
    examples: [{ command: "agents init" }, { command: "agents init --name local/app" }],
    seeAlso: ["demo", "action add", "plan use"],
    load: () => import("../commands/init.ts"),
  },
  {
    path: ["demo"],
    summary: "A small project with a plan that waits for your approval.",
    details:
      "Needs no model and no key. Writes a folder, registers it as local/demo with an action, and carries a plan\n" +
      "out in a sandbox: the folder changes when you apply it.",
    positionals: [{ name: "DIR", summary: "where to; ./cleveragents-demo without it", optional: true }],
    examples: [{ command: "agents demo" }, { command: "agents demo /tmp/demo" }],
    seeAlso: ["init", "plan diff", "plan apply"],
    load: () => import("../commands/demo.ts"),
  },
];
