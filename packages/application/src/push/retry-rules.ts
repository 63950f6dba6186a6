import type { PushOutcome } from "../ports/push-sender.ts";

export interface FailingSoFar {
  /** Failures before this one, since something last arrived. */
  readonly attempts: number;
  readonly failingSince: number;
  readonly now: number;
}

export type Verdict =
  | { readonly kind: "delivered" }
  | { readonly kind: "again"; readonly afterMs: number; readonly failure: string }
  | { readonly kind: "given-up"; readonly failure: string };

/** What becomes of a notification after an attempt. */
export type RetryRules = (outcome: PushOutcome, soFar: FailingSoFar) => Verdict;

const DAY_MS = 24 * 3600 * 1000;

export interface RetryOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /** How long a receiver may be away. */
  readonly patienceMs: number;
  /** Attempts where the receiver itself says no. */
  readonly refusals: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

export const DEFAULT_RETRIES: RetryOptions = {
  firstMs: 1000,
  longestMs: 15 * 60 * 1000,
  patienceMs: DAY_MS,
  refusals: 5,
  random: Math.random,
};

/** Statuses of the 4xx with which a receiver asks to be tried again. */
const LATER = new Set([408, 425, 429]);
const GONE = new Set([404, 410]);

/**
 * A receiver that is gone is given up at once, one that refuses after a few attempts, one that is away or broken after
 * a day. The pause doubles with each failure and is spread, so that receivers are not called all at the same moment;
 * a longer one that the receiver asks for is kept to.
 */
export function createRetryRules(options: Partial<RetryOptions> = {}): RetryRules {
  const { firstMs, longestMs, patienceMs, refusals, random } = { ...DEFAULT_RETRIES, ...options };
  return (outcome, { attempts, failingSince, now }) => {
    if (outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300)
      return { kind: "delivered" };
    const failure = outcome.kind === "answered" ? `answered ${outcome.status}` : outcome.why;
    if (outcome.kind === "answered" && GONE.has(outcome.status)) return { kind: "given-up", failure };
    if (saysNo(outcome) && attempts + 1 >= refusals) return { kind: "given-up", failure };
    const pause = Math.min(firstMs * 2 ** Math.min(attempts, 30), longestMs) * (0.8 + 0.4 * random());
    const asked = outcome.kind === "answered" ? readRetryAfter(outcome.retryAfter, now) : 0;
    const afterMs = Math.max(pause, asked);
    if (now + afterMs - failingSince > patienceMs) return { kind: "given-up", failure };
    return { kind: "again", afterMs: Math.ceil(afterMs), failure };
  };
}

/** Redirects are among them: what they point to is never called. */
function saysNo(outcome: PushOutcome): boolean {
  if (outcome.kind !== "answered") return outcome.kind === "refused";
  return outcome.status < 500 && !LATER.has(outcome.status);
}

/** Seconds or a date (RFC 9110 §10.2.3), in milliseconds from now; 0 for what is neither. */
function readRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
