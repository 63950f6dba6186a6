import { isIP, isIPv6 } from "node:net";
import { ConfigError } from "./config-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where notifications may be posted besides the internet. Throws {@link ConfigError}. */
export function pushAllowed(env: Environment): readonly string[] {
  return addressesIn(env, "CLEVERAGENTS_PUSH_ALLOW");
}

/** What plans may read besides the internet. Throws {@link ConfigError}. */
export function fetchAllowed(env: Environment): readonly string[] {
  return addressesIn(env, "CLEVERAGENTS_FETCH_ALLOW");
}

/** Where other agents and graphs may be besides the internet. Throws {@link ConfigError}. */
export function agentsAllowed(env: Environment): readonly string[] {
  return addressesIn(env, "CLEVERAGENTS_AGENTS_ALLOW");
}

function addressesIn(env: Environment, variable: string): readonly string[] {
  const entries = (env[variable] ?? "").split(",").map((entry) => entry.trim());
  const allowed = entries.filter((entry) => entry !== "");
  const wrong = allowed.find((entry) => !isAllowedHost(entry) && !isAllowedRange(entry));
  if (wrong === undefined) return allowed;
  throw new ConfigError(`${variable} has "${wrong}": use host, host:port or a range such as 10.1.0.0/16`);
}

function isAllowedHost(entry: string): boolean {
  const host = isIPv6(entry) ? `[${entry}]` : entry;
  return /^(\[[^\]]+\]|[^:@?#/\\\s]+)(:\d{1,5})?$/.test(host) && URL.canParse(`http://${host}`);
}

function isAllowedRange(entry: string): boolean {
  const [, address = "", bits] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return Number(bits) <= longest;
}
