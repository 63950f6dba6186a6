import { paintedWidth } from "./painted.ts";

/** A text of one line as lines of at most this width, broken between words; a longer word stays whole. */
export function breakWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let open = "";
  for (const word of text.split(" ")) {
    const longer = open === "" ? word : `${open} ${word}`;
    if (open !== "" && paintedWidth(longer) > width) {
      lines.push(open);
      open = word;
    } else open = longer;
  }
  return [...lines, open];
}
