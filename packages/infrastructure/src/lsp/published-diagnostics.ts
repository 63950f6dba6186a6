import type { Diagnostic, PublishDiagnosticsParams } from "vscode-languageserver-protocol/node";

/** Of what a server took to begin; more was its own start. */
const LONGEST_BEGIN_MS = 10_000;

interface Published {
  readonly version: number | undefined;
  readonly items: readonly Diagnostic[];
  /** When it came, by `performance.now()`. */
  readonly at: number;
}

/** Diagnostics of a file, and whether they may be those of a state that it is no longer in. */
export interface Freshness {
  readonly items: readonly Diagnostic[];
  /** Nothing is known of the present text: there may be other ones, or any at all. */
  readonly stale: boolean;
}

/** Which text of a file is meant: the version that the server was told last, and when. */
export interface TextState {
  readonly version: number;
  readonly since: number;
}

export interface Patience {
  /** How long nothing more must come before what came counts as all. */
  readonly settleMs: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Settles when the server has answered something, and so is done with whatever it was at. Throws nothing. */
  readonly answered?: () => Promise<void>;
}

/** What a server has published of its own accord, the last word on each file. Files are named relative to the project. */
export class PublishedDiagnostics {
  readonly #byFile = new Map<string, Published>();
  readonly #waiting = new Set<() => void>();

  take(file: string, { version, diagnostics }: Omit<PublishDiagnosticsParams, "uri">): void {
    this.#byFile.set(file, { version, items: diagnostics, at: performance.now() });
    for (const wake of [...this.#waiting]) wake();
  }

  forget(file: string): void {
    this.#byFile.delete(file);
  }

  /**
   * Whether silence may mean that nothing is wrong: it has said so before, without saying of which text, and some do not
   * say it twice.
   */
  mayStaySilent(file: string): boolean {
    const published = this.#byFile.get(file);
    return published !== undefined && published.version === undefined && published.items.length === 0;
  }

  /** What is known now, without waiting. */
  now(file: string, state: TextState): Freshness {
    const published = this.#byFile.get(file);
    return { items: published?.items ?? [], stale: published === undefined || !isOf(published, state) };
  }

  /**
   * Waits for what is published of this text, or of a later one, and then until no more comes. A server that does not
   * say of which text it speaks may begin with what is quick: it is waited until it has answered a question, and then
   * half as long as it took to begin.
   */
  async fresh(file: string, state: TextState, patience: Patience): Promise<Freshness> {
    const deadline = performance.now() + patience.deadlineMs;
    let first: number | undefined;
    let isAsked = false;
    let idleAt: number | undefined;
    for (;;) {
      const published = this.#byFile.get(file);
      const current = published !== undefined && isOf(published, state);
      if (current) first ??= published.at;
      const now = performance.now();
      const vague = current && published.version === undefined;
      if (vague && !isAsked) {
        isAsked = true;
        void (patience.answered?.() ?? Promise.resolve()).then(() => {
          idleAt = performance.now();
          for (const wake of [...this.#waiting]) wake();
        });
      }
      const began = vague ? Math.min((first as number) - state.since, LONGEST_BEGIN_MS) / 2 : 0;
      const quietMs = Math.max(patience.settleMs, began);
      const isBusy = vague && idleAt === undefined;
      const settled =
        current && !isBusy ? Math.max(published.at, idleAt ?? 0) + quietMs : Number.POSITIVE_INFINITY;
      if (now >= settled || now >= deadline || patience.signal.aborted)
        return { items: published?.items ?? [], stale: !current || (vague && now < settled) };
      await this.#published(Math.min(settled, deadline) - now, patience.signal);
    }
  }

  async #published(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.max(1, ms));
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}

function isOf({ version, at }: Published, state: TextState): boolean {
  return version === undefined ? at >= state.since : version >= state.version;
}
