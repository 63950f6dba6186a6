import { widthOf } from "./width.ts";

const SGR = /\p{Cc}\[[\d;]*m/gu;
const SGR_HERE = /\p{Cc}\[[\d;]*m/uy;

/** A text without its colours. */
export function unpainted(text: string): string {
  return text.replace(SGR, "");
}

/** Columns that a painted text takes. */
export function paintedWidth(text: string): number {
  return widthOf(unpainted(text));
}

/** Cuts a painted line; its codes take no room and are kept, so that colour ends with the line. */
export function cutPainted(line: string, width: number): string {
  let out = "";
  let taken = 0;
  for (let at = 0; at < line.length; ) {
    SGR_HERE.lastIndex = at;
    const code = SGR_HERE.exec(line)?.[0];
    if (code !== undefined) {
      out += code;
      at += code.length;
      continue;
    }
    const char = String.fromCodePoint(line.codePointAt(at) ?? 32);
    at += char.length;
    taken += widthOf(char);
    if (taken <= width) out += char === "\t" ? " " : char;
  }
  return out;
}
