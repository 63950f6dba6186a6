import { TransportError } from "@cleveragents/protocol";
import type { CliContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { List } from "./answer.ts";

/** Whoever presses Tab does not wait. */
const SECONDS = "2";
/** Of the line that is completed, what says which agent is spoken to. */
const WHERE = ["--server", "--data-dir"];

/**
 * Lists by the command that lists them, with `-o name`. An agent that does not run is not started for it, and what goes wrong is
 * told nobody.
 */
export function listThings(
  words: readonly string[],
  context: CliContext,
  run: (context: CliContext) => Promise<ExitCode>,
): List {
  const where = WHERE.flatMap((flag) => {
    const value = words[words.indexOf(flag) + 1];
    return words.includes(flag) && value !== undefined && value !== "" ? [flag, value] : [];
  });
  return async (noun) => {
    let names = "";
    const nowhere = { isTTY: false, columns: undefined, rows: undefined, write: () => undefined };
    const code = await run({
      ...context,
      argv: [...noun, "list", "-o", "name", "--timeout", SECONDS, ...where],
      stdout: {
        ...nowhere,
        write: (text) => {
          names += text;
        },
      },
      stderr: nowhere,
      connect: async (request) => {
        const isLocal = request.server === undefined;
        if (isLocal && (await context.localAgent(request.dataDir)).running === undefined)
          throw new TransportError("NOT_CONNECTED", "no agent runs");
        return context.connect(request);
      },
    });
    return code === EXIT.OK ? names.split("\n").filter((name) => name !== "") : [];
  };
}
