import { type SkillDiagnostic, skillNameProblems } from "@cleveragents/domain";
import { isAlias, isCollection, isMap, isScalar, parseDocument, visit } from "yaml";
import { shown } from "./front-matter-yaml.ts";
import { FIELDS } from "./read-skill.ts";

const LONGEST = 1024 * 1024;

/**
 * What the format's reference validator (skills-ref) would refuse, and nothing else: valid here is valid there. It reads
 * a subset of YAML without flow collections, anchors, tags and repeated keys, in which every scalar is a text.
 */
export function strictProblems(bytes: Uint8Array, folder: string): SkillDiagnostic[] {
  const text = strictText(bytes);
  if (text === undefined) return [problem("not-utf8", "the file is not in UTF-8")];
  if (!text.startsWith("---"))
    return [problem("no-frontmatter", "the file does not begin with ---: no byte order mark, no blank line")];
  // It closes at the next three hyphens, wherever they stand.
  const end = text.indexOf("---", 3);
  if (end < 0) return [problem("frontmatter-unclosed", "the front matter is not closed by ---")];
  const fields = strictFields(text.slice(3, end));
  return Array.isArray(fields) ? fields : fieldProblems(fields, folder);
}

function problem(code: string, message: string): SkillDiagnostic {
  return { level: "error", code, message };
}

function strictText(bytes: Uint8Array): string | undefined {
  if (bytes.length > LONGEST) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes)
      .replaceAll(/\r\n?/g, "\n");
  } catch {
    return undefined;
  }
}

function strictFields(yaml: string): ReadonlyMap<string, unknown> | SkillDiagnostic[] {
  try {
    const document = parseDocument(yaml, { schema: "failsafe", prettyErrors: false, logLevel: "error" });
    const [error] = document.errors;
    if (error !== undefined)
      return [problem("yaml-invalid", `the front matter is no YAML: ${error.message.split("\n", 1)[0]}`)];
    let refused: string | undefined;
    visit(document, {
      Alias: () => {
        refused ??= "aliases";
      },
      Node: (_, node) => {
        if (isCollection(node) && node.flow === true) refused ??= "lists and mappings in brackets";
        if (!isAlias(node) && (node.anchor !== undefined || node.tag !== undefined))
          refused ??= "anchors and tags";
      },
    });
    if (refused !== undefined) return [problem("yaml-flow", `the reference reader knows no ${refused}`)];
    const { contents } = document;
    if (!isMap(contents)) return [problem("frontmatter-no-mapping", "the front matter holds no fields")];
    return new Map(
      contents.items.map(({ key, value }) => [
        isScalar(key) ? String(key.value) : "",
        isScalar(value) ? value.value : (value ?? ""),
      ]),
    );
  } catch {
    return [problem("yaml-invalid", "the front matter is nested too deeply")];
  }
}

function fieldProblems(fields: ReadonlyMap<string, unknown>, folder: string): SkillDiagnostic[] {
  const found: SkillDiagnostic[] = [];
  const unexpected = [...fields.keys()].filter((field) => !FIELDS.has(field));
  if (unexpected.length > 0)
    found.push(
      problem("unexpected-field", `these are no fields of the format: ${unexpected.map(shown).join(", ")}`),
    );
  const name = fields.get("name");
  if (name === undefined) found.push(problem("name-missing", "there is no name"));
  else found.push(...skillNameProblems(typeof name === "string" ? name : "", folder));
  const description = fields.get("description");
  if (description === undefined) found.push(problem("description-missing", "there is no description"));
  else if (typeof description !== "string" || description.trim() === "")
    found.push(problem("description-empty", "the description is empty"));
  else if ([...description].length > 1024)
    found.push(
      problem("description-too-long", `the description has ${[...description].length} of 1024 characters`),
    );
  const compatibility = fields.get("compatibility");
  if (compatibility !== undefined && typeof compatibility !== "string")
    found.push(problem("compatibility-no-text", "compatibility is no text"));
  else if (typeof compatibility === "string" && [...compatibility].length > 500)
    found.push(problem("compatibility-too-long", "compatibility has more than 500 characters"));
  return found;
}
