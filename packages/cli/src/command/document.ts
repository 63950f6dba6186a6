import { CliError, usageError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import type { Invocation } from "./command.ts";

const MEANING: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "no permission to read it",
};

/** The FILE (or `--config FILE`) of an `add` command, read. */
export async function documentParams(invocation: Invocation) {
  const { values } = invocation;
  const file = values.optionalPositional("FILE") ?? values.text("config");
  if (file === undefined) throw usageError("FILE is missing");
  return { ...(await readDocument(invocation, file)), update: values.isSet("update") };
}

/** A file, read; `-` is stdin. Messages of the server name the file as it was given. */
export async function readDocument({ context }: Pick<Invocation, "context">, file: string) {
  if (file === "-") return { document: await context.stdin.readAll(), file: "stdin" };
  try {
    return { document: await context.readFile(file), file };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const why = MEANING[code] ?? (cause instanceof Error ? cause.message : String(cause));
    throw new CliError("FILE_UNREADABLE", `cannot read ${file}: ${why}`, { cause, exitCode: EXIT.USAGE });
  }
}
