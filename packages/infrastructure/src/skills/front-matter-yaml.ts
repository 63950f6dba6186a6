import type { SkillDiagnostic } from "@cleveragents/domain";
import { type Document, isMap, isScalar, LineCounter, parseDocument } from "yaml";

const LONGEST = 32 * 1024;
const MOST_LINES = 2000;
const REPAIRS = 20;
const ALIASES = 20;

export interface FrontMatter {
  /** Every scalar is a text: `1.0` stays `1.0`. Undefined if there is nothing to be read. */
  readonly fields: ReadonlyMap<string, unknown> | undefined;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Reads front matter as leniently as it can without guessing: of what a strict reader refuses, a plain text that holds
 * what YAML takes for syntax is read as the text that it was meant to be. Never throws.
 */
export function readFrontMatter(yaml: string, firstLine: number): FrontMatter {
  if (yaml.length > LONGEST)
    return refused("yaml-too-long", `the front matter is longer than ${LONGEST} characters`, firstLine);
  const diagnostics: SkillDiagnostic[] = [];
  let text = yaml.replaceAll(/\r\n?/g, "\n");
  if (text.split("\n").length > MOST_LINES)
    return refused("yaml-too-long", `the front matter has more than ${MOST_LINES} lines`, firstLine);
  let read = parse(text);
  for (let made = 0; read.problem !== undefined && made < REPAIRS; made += 1) {
    const repaired = quoteLine(text, read.problem.line);
    if (repaired === undefined) break;
    const line = firstLine + read.problem.line - 1;
    const message = `${repaired.key}: the text holds what YAML takes for syntax; put it in quotes`;
    diagnostics.push({ level: "warning", code: "yaml-repaired", message, line });
    text = repaired.text;
    read = parse(text);
  }
  if (read.problem !== undefined || read.document === undefined)
    return refused(
      "yaml-invalid",
      `the front matter is no YAML: ${read.problem?.message ?? "it cannot be read"}`,
      firstLine + (read.problem?.line ?? 1) - 1,
    );
  return { ...fieldsOf(read.document, read.lines, firstLine, diagnostics) };
}

function refused(code: string, message: string, line: number): FrontMatter {
  return { fields: undefined, diagnostics: [{ level: "error", code, message, line }] };
}

interface Read {
  readonly document?: Document.Parsed;
  readonly lines: LineCounter;
  readonly problem?: { readonly message: string; readonly line: number };
}

function parse(text: string): Read {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      schema: "failsafe",
      uniqueKeys: false,
      prettyErrors: false,
      lineCounter: lines,
      logLevel: "error",
    });
    const [error] = document.errors;
    if (error === undefined) return { document, lines };
    return {
      lines,
      problem: { message: firstLineOf(error.message), line: lines.linePos(error.pos[0]).line },
    };
  } catch {
    // So deep that the parser has run out of stack.
    return { lines, problem: { message: "it is nested too deeply", line: 0 } };
  }
}

function firstLineOf(message: string): string {
  return message.split("\n", 1)[0] as string;
}

/** The line with its value in quotes; undefined where that is no plain text, or was quoted already. */
function quoteLine(text: string, line: number): { readonly text: string; readonly key: string } | undefined {
  const lines = text.split("\n");
  const given = lines[line - 1];
  const parts = given === undefined ? null : /^( {0,20}[A-Za-z][\w-]{0,60}):[ \t]+(\S.*)$/.exec(given);
  if (given === undefined || parts === null || given.length > 5000) return undefined;
  const value = (parts[2] as string).trimEnd();
  if (/^["'|>[{]/.test(value)) return undefined;
  lines[line - 1] = `${parts[1]}: ${JSON.stringify(value)}`;
  return { text: lines.join("\n"), key: (parts[1] as string).trim() };
}

function fieldsOf(
  document: Document.Parsed,
  lines: LineCounter,
  firstLine: number,
  diagnostics: SkillDiagnostic[],
): FrontMatter {
  const { contents } = document;
  if (!isMap(contents))
    return refused("frontmatter-no-mapping", "the front matter holds no fields", firstLine);
  const fields = new Map<string, unknown>();
  for (const { key, value } of contents.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    const line = firstLine + lines.linePos(key.range?.[0] ?? 0).line - 1;
    if (fields.has(name))
      diagnostics.push({
        level: "warning",
        code: "duplicate-field",
        message: `${shown(name)} is there twice; the last one counts`,
        line,
      });
    if (isScalar(value) && value.type === "PLAIN" && typeof value.comment === "string")
      diagnostics.push({
        level: "warning",
        code: "comment-in-value",
        message: `${shown(name)}: what follows # is a comment; put the text in quotes`,
        line,
      });
    fields.set(name, plainValue(document, value));
  }
  return { fields, diagnostics };
}

function plainValue(document: Document.Parsed, value: unknown): unknown {
  if (isScalar(value)) return value.value;
  try {
    return (value as { toJS(document: Document, options: object): unknown } | null)?.toJS(document, {
      maxAliasCount: ALIASES,
    });
  } catch {
    return undefined; // aliases upon aliases
  }
}

export function shown(text: string): string {
  const short = [...text].slice(0, 80).join("").replace(/\p{C}/gu, "?");
  return short === text ? text : `${short}…`;
}
