import type { Flags } from "./command-row.ts";

export type Pair = readonly [left: string, right: string];

/** One line per flag: spelling, what it does, choices, default and variable. */
export function flagLines(flags: Flags): string[] {
  return columns(
    Object.entries(flags).map(([name, { short, value, summary, choices, default: fallback, env }]) => {
      const spelling = `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
      const facts = [
        choices !== undefined && choices.length <= 4 && !summary.includes(choices[0] ?? "")
          ? choices.join("|")
          : "",
        fallback === undefined ? "" : `default: ${fallback}`,
        env === undefined ? "" : `env: ${env}`,
      ].filter((fact) => fact !== "");
      return [spelling, facts.length === 0 ? summary : `${summary} (${facts.join("; ")})`];
    }),
  );
}

/** Two columns, the right one aligned. */
export function columns(pairs: readonly Pair[]): string[] {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}
