import { EXIT_CODE_MEANINGS } from "../exit-codes.ts";
import type { Paint } from "../output/paint.ts";
import type { CommandRow } from "./command-row.ts";
import { flagLines } from "./flag-lines.ts";
import { GLOBAL_FLAGS } from "./global-options.ts";
import { commandList } from "./overview.ts";

interface Topic {
  readonly summary: string;
  readonly text: (paint: Paint, rows: readonly CommandRow[]) => string;
}

/** What `agents help <topic>` tells that belongs to no single command. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  commands: {
    summary: "every command, a line each",
    text: (paint, rows) => commandList(rows, paint),
  },
  "exit-codes": {
    summary: "what the exit code of a command means",
    text: (paint) =>
      [
        paint.bold("Exit codes"),
        ...EXIT_CODE_MEANINGS.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`),
      ].join("\n"),
  },
  output: {
    summary: "what goes to stdout and stderr, in which form",
    text: (paint) => `${paint.bold("Output")}
  stdout gets the result and nothing else. Progress, questions, notes and errors go to stderr.

  -o text   for people (the default); wording is the same on a terminal and in a pipe
  -o json   the method's result as it came, one document
  -o yaml   the same as YAML
  -o name   ids or names, one a line

  An error is always told on stderr ("error:", "hint:"). With -o json or yaml it also stands on
  stdout, as the only document: { "error": { "code", "message", "hint" } }; scripts branch on code.
  Tables show the last eight characters of plan ids; every command takes those, or any six or more
  characters that begin or end one id only.

  With --stream, plan execute and plan watch write each event as a JSON line while it comes, and what they
  would have printed as the last one.

  Colour: off with --no-color, NO_COLOR or TERM=dumb and in pipes; FORCE_COLOR turns it on.
  Questions are asked only if stdin and stderr are terminals and --no-input is not given. A long patch goes
  through a pager on a terminal: core.pager, GIT_PAGER, PAGER, or less; cat is none.
  stdin is read only where a file is given as "-".`,
  },
  connection: {
    summary: "which agent is spoken to, and how",
    text: (paint) => `${paint.bold("Connection")}
  Without a server the local agent of the data directory is used: the one that runs, else a new one
  is started in the background. It stays while plans run and leaves soon after.

  --server URL, CLEVERAGENTS_SERVER_URL     an agent over HTTP
  agents login URL                          keeps a token or key for it; a local agent's own is found by itself
  agents server connect URL                 from now on, until agents server disconnect
  CLEVERAGENTS_SERVER_TOKEN                 a token or key that stands over the one that is kept
  agents server status                      who is spoken to, as whom, and whether that works
  NODE_EXTRA_CA_CERTS, HTTPS_PROXY          a private CA; a proxy
  --transport stdio                         speak to a spawned agent over its stdin and stdout
  --transport http                          speak to the local agent over HTTP
  --data-dir DIR, CLEVERAGENTS_DATA_DIR     another data directory
  CLEVERAGENTS_AGENT_COMMAND                the program to start, with its arguments, in the place of
                                            cleveragents-server
  --debug                                   every message, on stderr, without secrets`,
  },
  "any-agent": {
    summary: "speaking to any A2A agent: agents a2a",
    text: (paint) => `${paint.bold("Any A2A agent")}
  agents a2a follows the a2a-cli specification. It speaks A2A 1.0, and 0.3 with --a2a-version 0.3, over
  JSONRPC and HTTP+JSON, with whatever the agent's card prefers. It remembers nothing: tasks and contexts
  are named by --task-id and --context-id, as they were printed.

  -o text   one "Label: value" a line; longer content stands below its label and ends with an empty line
  -o json   the agent's own JSON as it came: one document, or with --stream one line for each event
  errors    { "error": { "code", "message", "hint", "a2aCode" } }; code is A2A's name where the agent refused
            (TaskNotFoundError), else one of A2ACLI_ERR_USAGE, CARD_NOT_FOUND, CARD_INVALID, UNREACHABLE,
            CREDENTIALS_MISSING, AUTH_FAILED, TIMEOUT, INTERNAL
  exit code 0 whenever the command did its job, also when the task failed: look at its state

  Settings  --bearer is A2ACLI_BEARER in the environment, in the nearest .env and in ~/.config/a2a-cli/.env,
            and so on for the other flags, in this order; --stream is a flag only. agents a2a config show.
            A .env that was only found turns no verification off, and where it names the agent, no credential
            from elsewhere is shown to that agent.
  Secrets   other users of a machine see the flags of a command, and shells remember them: prefer variables.`,
  },
  flags: {
    summary: "the flags of every command",
    text: (paint) =>
      [paint.bold("Flags of every command"), ...flagLines(GLOBAL_FLAGS).map((line) => `  ${line}`)].join(
        "\n",
      ),
  },
};
