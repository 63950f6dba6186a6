import { promises as dns, type LookupAddress } from "node:dns";
import { AllowList, WebhookPolicy } from "../push/index.ts";

export interface EgressOptions {
  /** Where else than on the internet agents may be; see `AllowList`. */
  readonly allow?: readonly string[] | undefined;
  /** Whether agents on this host may be called: where nobody else tells it whom to call. */
  readonly loopback?: (() => boolean) | undefined;
  /** The addresses of a name; the system's resolver when absent. */
  readonly resolve?: ((host: string) => Promise<readonly LookupAddress[]>) | undefined;
}

/** Whom agents and graphs elsewhere may be. */
export interface Egress {
  readonly policy: WebhookPolicy;
  readonly resolve: (host: string) => Promise<readonly LookupAddress[]>;
}

const LOOPBACK = ["localhost", "127.0.0.0/8", "::1/128"];

/** Throws `AllowListError`. */
export function egressOf({ allow = [], loopback, resolve }: EgressOptions): () => Egress {
  const lookup = resolve ?? ((host: string) => dns.lookup(host, { all: true }));
  const wide = new WebhookPolicy(new AllowList([...allow, ...LOOPBACK]));
  const narrow = new WebhookPolicy(new AllowList(allow));
  return () => ({ policy: loopback?.() === true ? wide : narrow, resolve: lookup });
}
