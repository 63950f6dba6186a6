import type { Invocation } from "../command/command.ts";

/** Questions need somebody at both ends: stdin and stderr are terminals, and nobody has forbidden it. */
export function mayAsk({ context, options }: Pick<Invocation, "context" | "options">): boolean {
  return !options.noInput && context.stdin.isTTY && context.stderr.isTTY;
}
