import { setTimeout as delay } from "node:timers/promises";
import type { Backend } from "openworkflow/internal";

const GIVE_UP_AFTER_MS = 5_000;
const LONGEST_PAUSE_MS = 200;

/**
 * Asks again while another process writes. A call that found the database busy has changed nothing, and waiting here
 * keeps the event loop free, which SQLite's own busy time-out would not.
 */
export async function retryWhenBusy<T>(
  isBusy: (error: unknown) => boolean,
  call: () => T | Promise<T>,
): Promise<T> {
  const start = performance.now();
  for (let pause = 5; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > GIVE_UP_AFTER_MS) throw error;
      await delay(pause);
    }
  }
}

/** A backend all of whose calls are made by `attempt`. */
export function attempting(backend: Backend, attempt: (call: () => unknown) => Promise<unknown>): Backend {
  return new Proxy(backend, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      return (...args: unknown[]): Promise<unknown> => attempt(() => method.apply(target, args) as unknown);
    },
  });
}
