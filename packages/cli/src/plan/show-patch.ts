import type { Invocation } from "../command/command.ts";
import { clean } from "../output/clean.ts";
import { paintPatch } from "./paint-patch.ts";

/** A patch on stdout: byte for byte into a pipe or a file; on a terminal without control characters, and through the pager. */
export async function showPatch(
  patch: string,
  invocation: Pick<Invocation, "context" | "options" | "output">,
  usesPager: boolean,
): Promise<void> {
  const { context, output } = invocation;
  const whole = patch === "" || patch.endsWith("\n") ? patch : `${patch}\n`;
  const text = paintPatch(context.stdout.isTTY ? clean(whole) : whole, output.page.paint);
  if (usesPager && context.stdout.isTTY) {
    const { pageText } = await import("../output/page-text.ts");
    if (await pageText(text, invocation)) return;
  }
  output.raw(text);
}
