import { EXIT, type ExitCode } from "./exit-codes.ts";

export interface CliErrorOptions extends ErrorOptions {
  readonly hint?: string | undefined;
  readonly exitCode?: ExitCode;
  /** Facts, one a line. */
  readonly lines?: readonly string[];
}

/** A failure that arises in the command line itself. `code` is a word for machines, `hint` what to do next. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  constructor(code: string, message: string, options: CliErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? EXIT.FAILED;
    this.lines = options.lines ?? [];
  }
}

/** The command was written wrongly: exit code 2. */
export function usageError(message: string, hint?: string): CliError {
  return new CliError("USAGE", message, { hint, exitCode: EXIT.USAGE });
}
