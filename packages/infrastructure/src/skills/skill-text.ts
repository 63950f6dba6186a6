import type { SkillDiagnostic } from "@cleveragents/domain";

/** The text of a file, whatever wrote it; a problem in its place where there is none. The byte order mark is gone. */
export function skillText(
  bytes: Uint8Array,
): { readonly text: string; readonly diagnostics: readonly SkillDiagnostic[] } | SkillDiagnostic {
  const wide = wideEncoding(bytes);
  if (wide !== undefined)
    return {
      text: new TextDecoder(wide).decode(bytes),
      diagnostics: [
        {
          level: "warning",
          code: "encoding-utf16",
          message: "the file is in UTF-16; others read UTF-8 alone",
          line: 1,
        },
      ],
    };
  if (bytes.includes(0))
    return { level: "error", code: "not-text", message: "the file is no text: it holds NUL bytes", line: 1 };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), diagnostics: [] };
  } catch {
    return { level: "error", code: "not-utf8", message: "the file is not in UTF-8", line: 1 };
  }
}

function wideEncoding([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** Lines of a text, whichever way they end. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
