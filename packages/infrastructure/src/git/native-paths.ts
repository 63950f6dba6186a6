/**
 * Names of files are bytes, our paths are strings. A byte that is no part of valid UTF-8 becomes the lone surrogate
 * U+DC00 + byte, as Python does it (PEP 383): such paths can be joined, split and compared like all others, and every
 * name has exactly one. They never leave this folder: {@link shownPath} is what a changeset and an error hold.
 */
const ESCAPED = /[\udc80-\udcff]/u;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function decodePath(name: Uint8Array): string {
  return validText(name) ?? decodeParts(name);
}

function validText(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function decodeParts(name: Uint8Array): string {
  let text = "";
  for (let at = 0; at < name.length; ) {
    const byte = name[at] ?? 0;
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    const part = name.subarray(at, at + length);
    const valid = part.length === length ? validText(part) : null;
    text += valid ?? String.fromCharCode(0xdc00 + byte);
    at += valid === null ? 1 : length;
  }
  return text;
}

/** Whether a path holds bytes that are not UTF-8. */
export function hasOddBytes(path: string): boolean {
  return ESCAPED.test(path);
}

/** The name's bytes; the string itself where it needs no bytes, which is quicker. */
export function nativePath(path: string): string | Buffer {
  if (!hasOddBytes(path)) return path;
  const parts: Buffer[] = [];
  for (const character of path) {
    const code = character.codePointAt(0) ?? 0;
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character));
  }
  return Buffer.concat(parts);
}

const LETTERS: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};
const BYTES = new Map(Object.entries(LETTERS).map(([byte, text]) => [text.slice(1), Number(byte)]));

/** As git quotes a path (`core.quotePath`): in double quotes, bytes that are not printable ASCII as three octal digits. */
export function quotePath(path: string): string {
  let text = "";
  for (const byte of Buffer.from(nativePath(path)))
    text +=
      LETTERS[byte] ??
      (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`);
  return `"${text}"`;
}

/** What {@link quotePath} was given. */
export function unquotePath(quoted: string): string {
  const bytes: number[] = [];
  for (const [, special, plain] of quoted.slice(1, -1).matchAll(/\\([0-7]{3}|.)|([^\\])/gs))
    bytes.push(
      special === undefined
        ? (plain ?? "").charCodeAt(0)
        : (BYTES.get(special) ?? Number.parseInt(special, 8)),
    );
  return decodePath(Uint8Array.from(bytes));
}

/** How a path is told to people and peers: as it is, or quoted where a string of Unicode cannot hold it. */
export function shownPath(path: string): string {
  return hasOddBytes(path) ? quotePath(path) : path;
}
