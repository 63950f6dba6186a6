import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import type { Invocation } from "./command.ts";

const MEANING: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "no permission to read it",
};

/** The FILE of an `add` command, read; `-` is stdin. Messages of the server name the file as it was given. */
export async function documentParams({ context, values }: Invocation) {
  const file = values.positional("FILE");
  const update = values.isSet("update");
  if (file === "-") return { document: await context.stdin.readAll(), file: "stdin", update };
  try {
    return { document: await context.readFile(file), file, update };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const why = MEANING[code] ?? (cause instanceof Error ? cause.message : String(cause));
    throw new CliError("FILE_UNREADABLE", `cannot read ${file}: ${why}`, { cause, exitCode: EXIT.USAGE });
  }
}
