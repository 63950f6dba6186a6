import type { Client } from "@cleveragents/protocol";
import type { CliContext } from "../context.ts";
import type { ExitCode } from "../exit-codes.ts";
import type { Output } from "../output/output.ts";
import type { CommandRow } from "./command-row.ts";
import type { GlobalOptions } from "./global-options.ts";
import type { Values } from "./values.ts";

/** One run of a command. */
export interface Invocation {
  readonly context: CliContext;
  readonly options: GlobalOptions;
  readonly row: CommandRow;
  /** Positionals and flags as they were given, checked against the row. */
  readonly values: Values;
  readonly output: Output;
  /** Connects at the first call; later calls get the same client. */
  client(): Promise<Client>;
}

export interface Command {
  run(invocation: Invocation): Promise<ExitCode>;
}
