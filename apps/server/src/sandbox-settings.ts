import { ConfigError } from "./config-error.ts";

export interface SandboxSettings {
  /** Bytes that one project may have in a sandbox; undefined for what the disk has. */
  readonly quotaBytes: number | undefined;
  /** How long sandboxes of plans that have failed or were cancelled stay. */
  readonly keepMs: number;
}

/** Throws {@link ConfigError} naming the variable. */
export function sandboxSettings(env: Readonly<Record<string, string | undefined>>): SandboxSettings {
  const quota = numberOf(env, "CLEVERAGENTS_SANDBOX_QUOTA_MB", "megabytes", 1_000_000_000);
  const hours = numberOf(env, "CLEVERAGENTS_SANDBOX_KEEP_HOURS", "hours", 100_000) ?? 0;
  return { quotaBytes: quota === undefined ? undefined : quota * 1_000_000, keepMs: hours * 3_600_000 };
}

function numberOf(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  unit: string,
  most: number,
): number | undefined {
  const given = env[name] ?? "";
  if (given === "") return undefined;
  const number = Number(given);
  if (number >= 0 && number <= most) return number;
  throw new ConfigError(`${name} is "${given}": use a number of ${unit}`);
}
