import type { Invocation } from "../command/command.ts";
import { LiveView } from "./live-view.ts";
import type { Observation } from "./observe.ts";
import { Progress } from "./progress.ts";

/** Shows on stderr how a plan goes on. */
export interface PlanView {
  show(observation: Observation): void;
  /** A word about the connection or about what a key did. */
  say(text: string): void;
  /** Leaves the screen as it is; nothing is shown afterwards. */
  close(): void;
}

/** Rewritten lines on a terminal, a line per event otherwise, nothing with --quiet. */
export function createPlanView({ context, options, output }: Invocation, planId: string): PlanView {
  const progress = new Progress(output.errorPage.paint, options.verbose);
  if (options.quiet) return { show: () => {}, say: () => {}, close: () => {} };
  const { stderr, env } = context;
  // With --verbose and --debug other lines come between, which a rewritten screen would lose.
  if (stderr.isTTY && env["TERM"] !== "dumb" && !options.verbose && !options.debug) {
    return new LiveView(stderr, progress, output.errorPage.paint, planId);
  }
  return {
    show: (observation) => {
      for (const line of progress.take(observation)) output.note(line);
    },
    say: (text) => output.note(text),
    close: () => {},
  };
}
