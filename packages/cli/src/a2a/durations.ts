import { a2aError } from "./a2a-errors.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `30`, `30s`, `500ms`, `2m`, `1h` in milliseconds; a bare number is seconds. */
export function durationMs(text: string, flag: string): number {
  const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const duration = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (number === "" || !(duration > 0))
    throw a2aError("USAGE", `--${flag} is a duration such as 30s, 500ms or 2m, not "${text}"`);
  return duration;
}
