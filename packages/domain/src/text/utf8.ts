/** The bytes of a text in UTF-8; half a surrogate pair counts as U+FFFD. Here, since the language itself has no encoder. */
export function* utf8(text: string): Generator<number> {
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) yield code;
    else if (code < 0x800) yield* [0xc0 | (code >> 6), tail(code)];
    else if (code < 0x10000) yield* [0xe0 | (code >> 12), tail(code >> 6), tail(code)];
    else yield* [0xf0 | (code >> 18), tail(code >> 12), tail(code >> 6), tail(code)];
  }
}

function tail(bits: number): number {
  return 0x80 | (bits & 0x3f);
}

/** How many bytes {@link utf8} gives. */
export function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
