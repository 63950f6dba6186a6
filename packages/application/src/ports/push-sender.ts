export interface PushPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type PushOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfter?: string }
  /** The address may not be posted to. */
  | { readonly kind: "refused"; readonly why: string }
  /** Nobody answered: a name or a connection that is not there, a time that ran out. `why` is a word, not a message. */
  | { readonly kind: "failed"; readonly why: string };

/** Posts to addresses that strangers have named. */
export interface PushSender {
  /** Why an address can certainly never be posted to, in words for who named it; undefined when it may be tried. */
  refusal(url: string): string | undefined;
  /**
   * Posts once, to exactly that address if it is one of the outside, and never to another: redirects are not followed.
   * Does not throw, and ends in bounded time; a signal that fires is a failure.
   */
  post(post: PushPost, signal: AbortSignal): Promise<PushOutcome>;
}
