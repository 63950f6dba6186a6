import { EXIT_CODE_MEANINGS } from "../exit-codes.ts";
import type { Paint } from "../output/paint.ts";
import { flagLines } from "./flag-lines.ts";
import { GLOBAL_FLAGS } from "./global-options.ts";

interface Topic {
  readonly summary: string;
  readonly text: (paint: Paint) => string;
}

/** What `agents help <topic>` tells that belongs to no single command. */
export const TOPICS: Readonly<Record<string, Topic>> = {
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

  Colour: off with --no-color, NO_COLOR or TERM=dumb and in pipes; FORCE_COLOR turns it on.
  Questions are asked only if stdin and stderr are terminals and --no-input is not given.
  stdin is read only where a file is given as "-".`,
  },
  connection: {
    summary: "which agent is spoken to, and how",
    text: (paint) => `${paint.bold("Connection")}
  Without a server the local agent of the data directory is used: the one that runs, else a new one
  is started in the background. It stays while plans run and leaves soon after.

  --server URL, CLEVERAGENTS_SERVER_URL     an agent over HTTP
  CLEVERAGENTS_SERVER_TOKEN                 its token or key; a local agent's own is found by itself
  --transport stdio                         speak to a spawned agent over its stdin and stdout
  --transport http                          speak to the local agent over HTTP
  --data-dir DIR, CLEVERAGENTS_DATA_DIR     another data directory
  CLEVERAGENTS_AGENT_COMMAND                the program to start, with its arguments, in the place of
                                            cleveragents-server
  --debug                                   every message, on stderr, without secrets`,
  },
  flags: {
    summary: "the flags of every command",
    text: (paint) =>
      [paint.bold("Flags of every command"), ...flagLines(GLOBAL_FLAGS).map((line) => `  ${line}`)].join(
        "\n",
      ),
  },
};
