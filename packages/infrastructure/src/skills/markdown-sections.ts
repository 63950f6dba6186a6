import { linesOf } from "./skill-text.ts";

export interface MarkdownLine {
  readonly text: string;
  /** Of the body, from 1. */
  readonly line: number;
  /** The language of the code block that the line is in, "" if it names none; undefined outside of one. */
  readonly code?: string;
}

export interface MarkdownSection {
  /** 0 for what stands above the first heading. */
  readonly level: number;
  readonly title: string;
  readonly line: number;
  readonly lines: readonly MarkdownLine[];
}

/** Longer lines are no headings, points or commands, so that none takes long to look at. */
const LONGEST_LINE = 1000;
/** What stands further down is text and nothing else. */
const MOST_LINES = 20_000;

/** Parts a text at its headings; what is in code blocks is none. `unclosed`: the line of a code block without an end. */
export function markdownSections(body: string): {
  readonly sections: readonly MarkdownSection[];
  readonly unclosed?: number;
} {
  const sections: { level: number; title: string; line: number; lines: MarkdownLine[] }[] = [
    { level: 0, title: "", line: 1, lines: [] },
  ];
  let fence: { readonly mark: string; readonly language: string; readonly line: number } | undefined;
  linesOf(body)
    .slice(0, MOST_LINES)
    .forEach((text, index) => {
      const line = index + 1;
      const current = sections.at(-1) as (typeof sections)[number];
      const mark = text.length > LONGEST_LINE ? null : /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(text);
      if (fence !== undefined) {
        const [, ticks = "", rest = ""] = mark ?? [];
        if (ticks[0] === fence.mark[0] && ticks.length >= fence.mark.length && rest.trim() === "")
          fence = undefined;
        else current.lines.push({ text, line, code: fence.language });
        return;
      }
      if (mark !== null) {
        fence = { mark: mark[1] as string, language: languageOf(mark[2] as string), line };
        return;
      }
      const heading = headingOf(text);
      if (heading === undefined) current.lines.push({ text, line });
      else sections.push({ ...heading, line, lines: [] });
    });
  return fence === undefined ? { sections } : { sections, unclosed: fence.line };
}

function languageOf(info: string): string {
  return (info.trim().split(/[\s{]/, 1)[0] as string).toLowerCase();
}

function headingOf(text: string): { readonly level: number; readonly title: string } | undefined {
  if (text.length > LONGEST_LINE) return undefined;
  const marks = /^ {0,3}(#{1,6})[ \t]/.exec(text);
  if (marks === null) return undefined;
  let title = text.slice(marks[0].length).trim();
  const closing = /(?:^|[ \t])#+$/.exec(title);
  if (closing !== null) title = title.slice(0, closing.index).trim();
  return { level: (marks[1] as string).length, title };
}

/** The points of a list, one line each; lines of code are none. */
export function bulletsOf(lines: readonly MarkdownLine[]): MarkdownLine[] {
  return lines.flatMap(({ text, line, code }) => {
    if (code !== undefined || text.length > LONGEST_LINE) return [];
    const trimmed = text.trimStart();
    const mark = /^(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/.exec(trimmed);
    const point = mark === null ? "" : trimmed.slice(mark[0].length).trim();
    return point === "" ? [] : [{ text: point, line }];
  });
}

/** The first paragraph, in one line. */
export function paragraphOf(lines: readonly MarkdownLine[]): string | undefined {
  const words: string[] = [];
  for (const { text, code } of lines) {
    if (code !== undefined || text.trim() === "") {
      if (words.length > 0) break;
    } else words.push(text.trim());
  }
  return words.length === 0 ? undefined : words.join(" ").replaceAll(/\s+/g, " ");
}

/** The text of a section's lines. */
export function textOf(lines: readonly MarkdownLine[]): string {
  return lines
    .map(({ text }) => text)
    .join("\n")
    .trim();
}
