import { usageError } from "../cli-error.ts";
import type { Invocation } from "./command.ts";
import type { Flags } from "./command-row.ts";
import { documentParams } from "./document.ts";

/**
 * The parameters of `add`: a file that was named, or a document made of what was typed. Whoever types what is started
 * consents to it by that; a file says what somebody else may have written.
 */
export async function serverParams(
  invocation: Invocation,
  made: {
    /** Flags that mean that nothing stands in a file. */
    readonly instead: readonly string[];
    /** Flags that have a meaning only where it does not. */
    readonly flags: Flags;
    readonly document: (invocation: Invocation, command: readonly string[]) => Record<string, unknown>;
  },
) {
  const { values } = invocation;
  const command = values.all("COMMAND");
  const isTyped = command.length > 0 || made.instead.some((flag) => values.isSet(flag));
  if (!isTyped) {
    const odd = Object.keys(made.flags).find((flag) => values.isSet(flag));
    if (odd !== undefined) throw usageError(`--${odd} goes with a command after --, not with a file`);
    const trust = values.isSet("trust") ? { trust: true } : {};
    return { ...(await documentParams(invocation)), ...trust };
  }
  const name = values.optionalPositional("FILE");
  if (name === undefined) throw usageError("the server's NAME is missing before --");
  const [path, ...args] = command;
  const document = {
    name,
    description: values.text("description"),
    ...(path === undefined ? {} : { command: path, args }),
    ...made.document(invocation, command),
  };
  return {
    document: JSON.stringify(document),
    file: "command line",
    update: values.isSet("update"),
    trust: true,
  };
}

/** `Name: value` or `Name=value`. */
export function headersIn(given: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(
    given.map((word) => {
      const [, name, value] = /^([^:=\s]+)\s*[:=]\s*(.*)$/s.exec(word) ?? [];
      if (name === undefined || value === undefined)
        throw usageError(`${flag} is written Name: value, not "${word}"`);
      return [name, value];
    }),
  );
}
