import { usageError } from "../cli-error.ts";
import type { Values } from "./values.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A flag that says a time: `2026-01-31`, `2026-01-31T12:00:00Z`, or how long ago, `12h`. As the wire has it. */
export function momentOf(values: Values, flag: string, now: () => number): string | undefined {
  const text = values.text(flag);
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined)
    return iso(now() - Number(count) * (UNITS[unit] ?? 0) * 1000, text, flag);
  if (!/^\d{4}-\d\d-\d\d/.test(text)) throw noTime(text, flag);
  return iso(Date.parse(text), text, flag);
}

function iso(at: number, text: string, flag: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) throw noTime(text, flag);
  return date.toISOString();
}

function noTime(text: string, flag: string) {
  return usageError(
    `--${flag} is a time, not "${text}"`,
    "2026-01-31T12:00:00Z, or how long ago: 30m, 12h, 7d",
  );
}
