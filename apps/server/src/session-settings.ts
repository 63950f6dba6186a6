import { ConfigError } from "./config-error.ts";

/** When sessions are suspended, and how many a caller may have in use; what is not set is the product's to say. */
export function sessionSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly sessionTimeoutMs: number | undefined;
  readonly maxSessions: number | undefined;
} {
  const seconds = positive(env, "SESSION_TIMEOUT", "a number of seconds", 31_536_000);
  return {
    sessionTimeoutMs: seconds === undefined ? undefined : seconds * 1000,
    maxSessions: positive(env, "MAX_CONCURRENT_SESSIONS", "a number", 1_000_000),
  };
}

function positive(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  what: string,
  most: number,
): number | undefined {
  const given = env[name] ?? "";
  if (given === "") return undefined;
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new ConfigError(`${name} is "${given}": use ${what} from 1 to ${most}`);
}
