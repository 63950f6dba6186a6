import type { CliContext } from "../context.ts";

/** Why following ends before the plan stops. */
export type Ending = "detach" | "cancel" | "timeout";

export interface EndingWatch {
  /** Fires when `happened` settles. */
  readonly signal: AbortSignal;
  readonly happened: Promise<Ending>;
  /** Whether Ctrl-C was pressed, also while it is not known yet which one it is. */
  readonly pressed: boolean;
  stop(): void;
}

/** A second Ctrl-C within this time cancels the plan. */
const SECOND_MS = 2000;
/** One key press may arrive twice, when a wrapper such as npm hands its signal on. */
const SAME_PRESS_MS = 100;

/**
 * Listens for Ctrl-C and the time limit. The first Ctrl-C detaches after two seconds, in which a second one means to cancel.
 */
export function watchForEnding(
  context: CliContext,
  timeoutMs: number | undefined,
  say: (text: string) => void,
): EndingWatch {
  const controller = new AbortController();
  const { promise: happened, resolve } = Promise.withResolvers<Ending>();
  const timers: NodeJS.Timeout[] = [];
  const end = (ending: Ending) => {
    resolve(ending);
    controller.abort();
  };
  let pressed: number | undefined;
  const stopListening = context.onInterrupt(() => {
    const now = context.now();
    if (pressed === undefined) {
      pressed = now;
      say("Detaching; the plan goes on. Ctrl-C again within 2 s cancels the plan.");
      timers.push(setTimeout(() => end("detach"), SECOND_MS));
    } else if (now - pressed > SAME_PRESS_MS) end("cancel");
  });
  if (timeoutMs !== undefined) timers.push(setTimeout(() => end("timeout"), timeoutMs));
  return {
    signal: controller.signal,
    happened,
    get pressed() {
      return pressed !== undefined;
    },
    stop() {
      stopListening();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
