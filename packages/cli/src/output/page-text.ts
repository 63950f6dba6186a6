import type { Invocation } from "../command/command.ts";

/** As git has it: quit if it fits one screen, keep colours, leave the screen as it is. */
const LESS = "FRX";

/**
 * Shows a long text through the pager of the user, on a terminal only. False if it is to be written as it is: no terminal, a dumb
 * one, no pager wanted, or none there.
 */
export async function pageText(
  text: string,
  { context, options, output }: Pick<Invocation, "context" | "options" | "output">,
): Promise<boolean> {
  const { env, stdout } = context;
  if (!stdout.isTTY || options.noInput || env["TERM"] === "dumb" || text === "") return false;
  const pager = pagerOf(env);
  if (pager === undefined) return false;
  const defaults = {
    ...(env["LESS"] === undefined && { LESS }),
    ...(env["LV"] === undefined && { LV: "-c" }),
  };
  const code = await context.runProgram(pager.command, { input: text, env: defaults });
  if (code !== undefined) return true;
  if (pager.source !== undefined)
    output.warn(`the pager "${pager.command}" (${pager.source}) cannot be started`);
  return false;
}

const SOURCES = ["CLEVERAGENTS_PAGER", "GIT_PAGER", "PAGER"] as const;

/** The first that is set counts; an empty one, and `cat`, mean none. */
function pagerOf(
  env: Invocation["context"]["env"],
): { readonly command: string; readonly source: string | undefined } | undefined {
  const source = SOURCES.find((name) => env[name] !== undefined);
  const command = (source === undefined ? "less" : (env[source] ?? "")).trim();
  return command === "" || command === "cat" ? undefined : { command, source };
}
