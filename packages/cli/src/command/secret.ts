import { CliError, usageError } from "../cli-error.ts";
import { mayAsk } from "../output/may-ask.ts";
import type { Invocation } from "./command.ts";
import { readDocument } from "./document.ts";

/** A secret that a flag names a file for; `-` is stdin. Flags themselves are seen by other users, and kept by shells. */
export async function secretIn(
  invocation: Pick<Invocation, "context" | "values">,
  flag: string,
): Promise<string | undefined> {
  const file = invocation.values.text(flag);
  if (file === undefined) return undefined;
  const { document } = await readDocument(invocation, file.replace(/^@/, ""));
  return checked(document, file === "-" ? "stdin" : file);
}

/** Asks for one, where somebody can be asked; what is typed is not shown. */
export async function askSecret(invocation: Invocation, question: string): Promise<string | undefined> {
  if (!mayAsk(invocation)) return undefined;
  const { context } = invocation;
  context.stderr.write(`${question}: `);
  const typed = await context.stdin.readSecret();
  context.stderr.write("\n");
  if (typed === undefined) throw new CliError("INTERRUPTED", "nothing was entered", { exitCode: 130 });
  return checked(typed, "what was entered");
}

function checked(text: string, where: string): string {
  const secret = text.trim();
  if (secret === "") throw usageError(`${where} has no token or key`);
  if (/\s/.test(secret)) throw usageError(`${where} has more than a token or key`);
  return secret;
}
