import type { Invocation } from "../command/command.ts";
import type { Observation } from "./observe.ts";
import { Progress } from "./progress.ts";

/** Why nothing more is shown: the answer of the command follows, the question is put below, or neither. */
export type Closing = "told" | "asked" | "left";

/** Shows on stderr how a plan goes on. */
export interface PlanView {
  show(observation: Observation): void;
  /** A word about the connection, until something happens; or, one that stays, about what a key did. */
  say(text: string, stays?: boolean): void;
  /** Nothing is shown afterwards. */
  close(how: Closing): void;
}

/** Rewritten lines on a terminal, a line per event otherwise, nothing with --quiet. */
export async function createPlanView(
  { context, options, output, values }: Invocation,
  planId: string,
): Promise<PlanView> {
  const { paint } = output.errorPage;
  const progress = new Progress(paint, options.verbose);
  if (options.quiet) return { show: () => {}, say: () => {}, close: () => {} };
  const { stdout, stderr, env } = context;
  // With --verbose and --debug other lines come between, and with --stream on stdout, which a rewritten screen would lose.
  const alone = !options.verbose && !options.debug && !(values.isSet("stream") && stdout.isTTY);
  if (stderr.isTTY && env["TERM"] !== "dumb" && alone) {
    const { LiveView } = await import("./live-view.ts");
    const toldBelow = stdout.isTTY && output.format === "text";
    return new LiveView({ stream: stderr, progress, paint, planId, now: () => context.now(), toldBelow });
  }
  return {
    show: (observation) => {
      for (const line of progress.take(observation)) output.note(line);
    },
    say: (text) => output.note(text),
    close: () => {},
  };
}
