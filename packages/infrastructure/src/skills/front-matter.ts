export interface SplitFile {
  /** Between the fences; undefined where the file does not begin with one. */
  readonly yaml?: string;
  /** Line of the file that it begins in. */
  readonly yamlLine: number;
  /** Everything behind the second fence, byte for byte. */
  readonly body: string;
  readonly bodyLine: number;
  /** The first fence is there and the second is not. */
  readonly unclosed: boolean;
}

const LINE_END = /\r\n|\n|\r/g;

/**
 * Parts the front matter from the rest. It begins in the first line that is not blank; only the first pair of fences
 * counts, so that rulers further down are a part of the text.
 */
export function splitFrontMatter(text: string): SplitFile {
  const whole = { yamlLine: 0, body: text, bodyLine: 1, unclosed: false };
  let yamlFrom: number | undefined;
  let yamlLine = 0;
  let line = 0;
  for (const [from, to, next] of lineRanges(text)) {
    line += 1;
    const content = text.slice(from, to);
    if (yamlFrom === undefined) {
      if (isBlank(content)) continue;
      if (!isFence(content, "---")) return whole;
      yamlFrom = next;
      yamlLine = line + 1;
    } else if (isFence(content, "---") || isFence(content, "...")) {
      return {
        yaml: text.slice(yamlFrom, from),
        yamlLine,
        body: text.slice(next),
        bodyLine: line + 1,
        unclosed: false,
      };
    }
  }
  return yamlFrom === undefined ? whole : { ...whole, unclosed: true };
}

/** Where each line begins and ends, and where the next one begins. */
function* lineRanges(text: string): Generator<readonly [from: number, to: number, next: number]> {
  let from = 0;
  for (const { index, 0: end } of text.matchAll(LINE_END)) {
    yield [from, index, index + end.length];
    from = index + end.length;
  }
  yield [from, text.length, text.length];
}

function isFence(line: string, fence: string): boolean {
  return line.startsWith(fence) && isBlank(line.slice(fence.length));
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
