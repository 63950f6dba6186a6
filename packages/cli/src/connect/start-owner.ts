import { OwnerStartError, type StartedOwner, startOwnerProcess } from "@cleveragents/transport-stdio/client";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import type { ServerCommand } from "./server-command.ts";

/**
 * Starts the owner of a data directory in the background, where neither Ctrl-C nor the end of this process reaches it.
 * Settles when the program runs; `onFailure` is told if it ends with an error, and with which.
 */
export async function startOwner(
  { command, args }: ServerCommand,
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
  onFailure: (error: CliError) => void,
): Promise<StartedOwner> {
  try {
    return await startOwnerProcess({
      command,
      args: [...args, "owner", "--data-dir", dataDir],
      dataDir,
      env,
      onFailure: (error) => onFailure(failed(error)),
    });
  } catch (cause) {
    if (cause instanceof OwnerStartError) throw failed(cause);
    throw new CliError(
      "SERVER_NOT_STARTED",
      `cannot start ${command}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
        hint: "CLEVERAGENTS_AGENT_COMMAND names the program to start",
      },
    );
  }
}

function failed(error: OwnerStartError): CliError {
  return new CliError("AGENT_FAILED", error.message, {
    hint: error.hint ?? "owner.log in the data directory has the details",
    exitCode: EXIT.UNREACHABLE,
  });
}
