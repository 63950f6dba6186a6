import { ConfigError } from "./config-error.ts";

/**
 * The address in a setting, without slashes at its end; undefined where there is none. Throws {@link ConfigError} for
 * what is no address of the web, and for one with a user, a query or a fragment, which would be published with it.
 */
export function urlSetting(name: string, given: string | undefined): string | undefined {
  const text = given?.trim() ?? "";
  if (text === "") return undefined;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new ConfigError(`${name} is no address: use https://host/path`);
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new ConfigError(`${name} may have a host, a port and a path: no user, query or fragment`);
  return `${url.origin}${url.pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "")}`;
}

/** The same for addresses whose answers are trusted: plain HTTP only on this machine. */
export function trustedUrlSetting(name: string, given: string | undefined): string | undefined {
  const url = urlSetting(name, given);
  if (url === undefined || url.startsWith("https:")) return url;
  const { hostname } = new URL(url);
  if (hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname)) return url;
  throw new ConfigError(
    `${name} must begin with https://, since whoever changes the answer decides who is let in`,
  );
}
