import ipaddr from "ipaddr.js";
import { type AllowList, hostOf } from "./allow-list.ts";
import { isPublicAddress } from "./public-address.ts";

/** Names that are never the internet's (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
const LOCAL = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/;

/** To which addresses that strangers name may be posted. */
export class WebhookPolicy {
  readonly #allowed: AllowList;

  constructor(allowed: AllowList) {
    this.#allowed = allowed;
  }

  /** Why a URL certainly leads nowhere where we may post, for who named it; it does not repeat the URL. */
  refusal(text: string): string | undefined {
    const url = URL.parse(text);
    if (url === null) return "must be an absolute URL";
    if (url.protocol !== "http:" && url.protocol !== "https:") return "must be an http or https URL";
    if (url.username !== "" || url.password !== "") return "must not have a user or a password in it";
    const host = hostOf(url);
    if (this.#trusts(url)) return undefined;
    if (LOCAL.test(host)) return "must not be a local name";
    if (ipaddr.isValid(host) && !this.admits(url, host))
      return "must not be an address of an internal network";
    return undefined;
  }

  /** Whether a connection for this URL may be made to an address that its name has resolved to. */
  admits(url: URL, address: string): boolean {
    return this.#trusts(url) || isPublicAddress(address) || this.#allowed.hasAddress(address);
  }

  #trusts(url: URL): boolean {
    const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
    return this.#allowed.hasHost(hostOf(url), port);
  }
}
