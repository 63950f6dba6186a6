import type { OutputStream } from "../context.ts";

/** Wraps text in SGR codes, or leaves it as it is. Words never change with colour. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const sgr = (on: number, off: number) => (text: string) =>
  text === "" ? "" : `\x1b[${on}m${text}\x1b[${off}m`;
const same = (text: string) => text;

export const COLOURED: Paint = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
};
export const PLAIN: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** `--no-color`, then NO_COLOR, FORCE_COLOR, TERM=dumb, and whether a terminal is there. */
export function choosePaint(
  stream: Pick<OutputStream, "isTTY">,
  env: Readonly<Record<string, string | undefined>>,
  noColor: boolean,
): Paint {
  if (noColor || isGiven(env["NO_COLOR"])) return PLAIN;
  const forced = env["FORCE_COLOR"];
  if (isGiven(forced)) return forced === "0" || forced === "false" ? PLAIN : COLOURED;
  return stream.isTTY && env["TERM"] !== "dumb" ? COLOURED : PLAIN;
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
