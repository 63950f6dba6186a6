import { ConfigError } from "./config-error.ts";

export interface SandboxSettings {
  /** Bytes that one project may have in a sandbox; undefined for what the disk has. */
  readonly quotaBytes: number | undefined;
  /** How long work stays that a plan which has failed or was cancelled has done. */
  readonly keepMs: number;
  /** Bytes of dependency folders that are copied for commands that cannot be shown them otherwise. */
  readonly dependencyBytes: number;
  /** Bytes of all long outputs that are kept. */
  readonly outputBytes: number;
}

/** Two weeks: long enough to come back from a holiday to. */
const KEEP_HOURS = 14 * 24;

/** Throws {@link ConfigError} naming the variable. */
export function sandboxSettings(env: Readonly<Record<string, string | undefined>>): SandboxSettings {
  const quota = numberOf(env, "CLEVERAGENTS_SANDBOX_QUOTA_MB", "megabytes", 1_000_000_000);
  const hours = numberOf(env, "CLEVERAGENTS_SANDBOX_KEEP_HOURS", "hours", 100_000) ?? KEEP_HOURS;
  const copied = numberOf(env, "CLEVERAGENTS_DEPENDENCY_COPY_MB", "megabytes", 1_000_000_000) ?? 2000;
  const outputs = numberOf(env, "CLEVERAGENTS_OUTPUT_QUOTA_MB", "megabytes", 1_000_000_000) ?? 1000;
  return {
    quotaBytes: quota === undefined ? undefined : quota * 1_000_000,
    keepMs: hours * 3_600_000,
    dependencyBytes: copied * 1_000_000,
    outputBytes: outputs * 1_000_000,
  };
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
