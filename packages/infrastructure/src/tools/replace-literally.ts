export type Occurrences = "one" | "first" | "all";

export type Replaced = { readonly text: string; readonly replacements: number } | { readonly found: number };

/**
 * Replaces text as it stands: nothing in either string is a pattern. `one` needs exactly one place, counting those
 * that overlap; otherwise the answer is how many there are. A text whose lines all end in CRLF is searched as if the
 * strings were written that way too, unless the search itself names a carriage return, and so keeps its line ends.
 */
export function replaceLiterally(
  text: string,
  find: string,
  replacement: string,
  occurrences: Occurrences,
): Replaced {
  const crlf = !find.includes("\r") && hasOnlyCrlf(text);
  const wanted = crlf ? withCrlf(find) : find;
  const put = crlf && !replacement.includes("\r") ? withCrlf(replacement) : replacement;

  const first = text.indexOf(wanted);
  if (first < 0) return { found: 0 };
  if (occurrences === "all") {
    const pieces = text.split(wanted);
    return { text: pieces.join(put), replacements: pieces.length - 1 };
  }
  if (occurrences === "one" && text.lastIndexOf(wanted) !== first) {
    return { found: Math.max(2, text.split(wanted).length - 1) };
  }
  return { text: text.slice(0, first) + put + text.slice(first + wanted.length), replacements: 1 };
}

const hasOnlyCrlf = (text: string): boolean => text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
const withCrlf = (text: string): string => text.replaceAll("\n", "\r\n");
