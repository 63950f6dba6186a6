import { usageError } from "../cli-error.ts";
import type { Invocation } from "./command.ts";
import { readDocument } from "./document.ts";

/** The file of `--config`, read; undefined where the project is said by flags. One of both names it. */
export async function projectFile(invocation: Invocation, flags: readonly string[]) {
  const { values } = invocation;
  const config = values.text("config");
  const name = values.optionalPositional("NAME");
  if (config === undefined) {
    if (name === undefined) throw usageError("NAME is missing, or --config FILE");
    return undefined;
  }
  const others = flags.filter((flag) => values.isSet(flag)).map((flag) => `--${flag}`);
  if (name !== undefined) others.unshift("NAME");
  if (others.length > 0) throw usageError(`${others.join(", ")} and --config FILE: the file says all of it`);
  return await readDocument(invocation, config);
}
