import type { Clock, Logger } from "@cleveragents/application";

/** A store under test, closed with `await using`. */
export interface StoreHarness<Store> extends AsyncDisposable {
  readonly store: Store;
  /** How many events are very many here: 100,000 where nothing is said, fewer where each costs more. */
  readonly many?: number;
}

export interface StoreDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Opens an empty store. Suites know nothing else of what they run on. */
export type OpenStore<Store> = (deps: StoreDeps) => Promise<StoreHarness<Store>>;

/** A clock that stands still until a test moves it. */
export class StandingClock implements Clock {
  time = 1_800_000_000_000;
  now(): number {
    return this.time;
  }
}

/** Keeps what was logged as an error, for tests that expect one. */
export class ErrorLog implements Logger {
  readonly errors: { readonly fields: Record<string, unknown>; readonly message: string }[] = [];
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(fields: Record<string, unknown>, message: string): void {
    this.errors.push({ fields, message });
  }
}
