/** 1 file, 2 files. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** How long ago, in one unit: 41s, 3m, 5h, 12d. Empty when the time cannot be read. */
export function age(timestamp: string, now: number): string {
  const then = Date.parse(timestamp);
  if (Number.isNaN(then)) return "";
  const seconds = Math.max(0, Math.floor((now - then) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** A time with how long ago that is. */
export function when(timestamp: string, { now }: { readonly now: number }): string {
  const ago = age(timestamp, now);
  return ago === "" ? timestamp : `${timestamp} (${ago} ago)`;
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  const unit = n < 1_000_000 ? "kB" : n < 1_000_000_000 ? "MB" : "GB";
  const scaled = n / { kB: 1e3, MB: 1e6, GB: 1e9 }[unit];
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${unit}`;
}

/** `Label:  value` lines, values aligned; entries without a value are left out. `least` is a label's least width. */
export function fields(
  entries: readonly (readonly [label: string, value: string | undefined])[],
  least = 0,
): string {
  const given = entries.filter(
    (entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const width = Math.max(least, ...given.map(([label]) => label.length)) + 3;
  const under = `\n${" ".repeat(width)}`;
  return given
    .map(([label, value]) => `${`${label}:`.padEnd(width)}${value.replaceAll("\n", under)}`)
    .join("\n");
}

/** 12,345 */
export function thousands(n: number): string {
  return n.toLocaleString("en-US");
}

/** US dollars, with more digits where there are few cents. */
export function money(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
}
