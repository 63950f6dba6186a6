import { setTimeout as pause } from "node:timers/promises";
import { type DatabasePlace, PostgresUnavailableError } from "./database-errors.ts";
import { failureOf, toStorageError } from "./failure.ts";

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1000;

export interface Attempt {
  /** How long it may take. */
  readonly withinMs: number;
  /** Whether an earlier attempt may have had its effect. */
  readonly repeated: boolean;
}

/** Until when a call waits for a database that cannot be reached. */
export function deadlineIn(ms: number): number {
  return performance.now() + ms;
}

/**
 * Tries until it succeeds, fails for another reason than a lost connection or a transaction that gave way, or the
 * deadline has passed: then it fails with `PostgresUnavailableError`, at once, whatever the attempt is waiting for.
 */
export async function persist<T>(
  attempt: (attempt: Attempt) => Promise<T>,
  { deadline, place }: { readonly deadline: number; readonly place: DatabasePlace },
): Promise<T> {
  let repeated = false;
  for (let n = 0; ; n += 1) {
    try {
      const withinMs = Math.max(1, deadline - performance.now());
      return await within(attempt({ withinMs, repeated }), withinMs, place);
    } catch (error) {
      const failure = failureOf(error);
      if (failure !== "lost" && failure !== "undone") throw toStorageError(error, place);
      repeated ||= failure === "lost";
      // Of several that gave way to each other, each comes back at another time.
      const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** n) * (0.5 + Math.random() / 2);
      if (performance.now() + ms >= deadline) throw toStorageError(error, place);
      await pause(ms);
    }
  }
}

async function within<T>(work: Promise<T>, ms: number, place: DatabasePlace): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PostgresUnavailableError(place, "the database does not answer")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
