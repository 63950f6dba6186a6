import {
  type AgentSkillSpec,
  type SkillDiagnostic,
  skillHandle,
  skillNameProblems,
  toolDescriptor,
  toolPatterns,
} from "@cleveragents/domain";
import { splitFrontMatter } from "./front-matter.ts";
import { readFrontMatter, shown } from "./front-matter-yaml.ts";
import { readBody, type SkillBody } from "./skill-body.ts";
import { readSidecar, slotsInMetadata } from "./skill-sidecar.ts";
import { linesOf, skillText } from "./skill-text.ts";

/** Of a SKILL.md; what is longer is no text for a model. */
export const LONGEST_SKILL = 1024 * 1024;
/** The fields of the format; others are left alone, and told. */
export const FIELDS: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
]);
const LONGEST_DESCRIPTION = 1024;
const LONGEST_COMPATIBILITY = 500;
const MANY_LINES = 500;

export interface ReadSkill {
  /** Undefined if it cannot be used; then a diagnostic of level `error` says why. */
  readonly spec?: AgentSkillSpec;
  readonly diagnostics: readonly SkillDiagnostic[];
}

export interface SkillSource {
  readonly bytes: Uint8Array;
  /** The name of the skill's directory. */
  readonly folder: string;
  /** The text of `cleveragents.yaml` beside it. */
  readonly sidecar?: string | undefined;
}

/**
 * Reads a skill in either form, with front matter or with headings alone, as leniently as the format's guide for clients
 * asks: what can be used is used, and everything odd about it is told. Whatever the bytes are, it answers, and soon.
 */
export function readSkill(source: SkillSource): ReadSkill {
  if (source.bytes.length > LONGEST_SKILL)
    return unusable("too-large", `the file is larger than ${LONGEST_SKILL} bytes`, 1);
  const decoded = skillText(source.bytes);
  if ("code" in decoded) return { diagnostics: [decoded] };
  const split = splitFrontMatter(decoded.text);
  if (split.unclosed)
    return unusable(
      "frontmatter-unclosed",
      "the front matter has no closing --- line",
      1,
      decoded.diagnostics,
    );
  const diagnostics: SkillDiagnostic[] = [...decoded.diagnostics];
  const body = readBody(split.body, split.bodyLine);
  if (split.yaml === undefined) {
    if (body.title === undefined)
      return unusable("not-a-skill", "there is neither front matter nor a title (# …)", 1, diagnostics);
    diagnostics.push({
      level: "info",
      code: "no-frontmatter",
      message: "there is no front matter: the name is the folder's, the description that of the text",
      line: 1,
    });
    return finish(source, "heading", new Map(), split.body, body, diagnostics);
  }
  const front = readFrontMatter(split.yaml, split.yamlLine);
  diagnostics.push(...front.diagnostics);
  if (front.fields === undefined) return { diagnostics };
  return finish(source, "frontmatter", front.fields, split.body, body, diagnostics);
}

function unusable(
  code: string,
  message: string,
  line: number,
  before: readonly SkillDiagnostic[] = [],
): ReadSkill {
  return { diagnostics: [...before, { level: "error", code, message, line }] };
}

function finish(
  { folder, sidecar }: SkillSource,
  format: AgentSkillSpec["format"],
  fields: ReadonlyMap<string, unknown>,
  instructions: string,
  body: SkillBody,
  diagnostics: SkillDiagnostic[],
): ReadSkill {
  const warn = (code: string, message: string) => diagnostics.push({ level: "warning", code, message });
  const given = textOf(fields.get("description"));
  const description = given ?? (format === "heading" ? body.description : undefined);
  if (description === undefined)
    return unusable("description-missing", "there is no description", 1, diagnostics);
  const name = nameOf(fields, folder, format, diagnostics);
  if (name === undefined) return unusable("name-unusable", "no name can be made of it", 1, diagnostics);
  if ([...description].length > LONGEST_DESCRIPTION)
    warn("description-too-long", `the description has more than ${LONGEST_DESCRIPTION} characters`);
  for (const field of fields.keys())
    if (!FIELDS.has(field))
      warn("unexpected-field", `${shown(field)} is no field of the format; it is left alone`);
  const license = textOf(fields.get("license"));
  const compatibility = textOf(fields.get("compatibility"));
  if (compatibility !== undefined && [...compatibility].length > LONGEST_COMPATIBILITY)
    warn("compatibility-too-long", `compatibility has more than ${LONGEST_COMPATIBILITY} characters`);
  const metadata = metadataOf(fields.get("metadata"), warn);
  const tools = toolsOf(fields.get("allowed-tools"), warn);
  const beside = sidecar === undefined ? { slots: [], diagnostics: [] } : readSidecar(sidecar);
  diagnostics.push(...beside.diagnostics, ...body.diagnostics);
  const lines = linesOf(instructions).length;
  if (lines > MANY_LINES)
    diagnostics.push({
      level: "info",
      code: "instructions-long",
      message: `the instructions have ${lines} lines; more than ${MANY_LINES} are much for a model`,
    });
  const spec: AgentSkillSpec = {
    name,
    version: metadata["version"] ?? textOf(fields.get("version")) ?? "1.0.0",
    description,
    ...(body.title === undefined ? {} : { title: body.title }),
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    metadata,
    format,
    steps: body.steps,
    definitionOfDone: body.definitionOfDone,
    tools,
    resourceSlots: beside.slots.length > 0 ? beside.slots : slotsInMetadata(metadata["resource_slots"]),
    instructions,
  };
  return { spec, diagnostics };
}

/** As the file says, else as the folder is called; made to keep to the rules where it does not. */
function nameOf(
  fields: ReadonlyMap<string, unknown>,
  folder: string,
  format: AgentSkillSpec["format"],
  diagnostics: SkillDiagnostic[],
): string | undefined {
  const given = textOf(fields.get("name"));
  if (given === undefined && format === "frontmatter")
    diagnostics.push({
      level: "warning",
      code: "name-missing",
      message: "there is no name: it is the folder's",
      line: 1,
    });
  const name = skillHandle(given ?? folder) || skillHandle(folder);
  if (given !== undefined)
    for (const problem of skillNameProblems(given, folder))
      diagnostics.push({
        ...problem,
        level: "warning",
        message:
          name === given.normalize("NFKC") ? problem.message : `${problem.message}; it is taken as ${name}`,
      });
  return name === "" ? undefined : name;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function metadataOf(value: unknown, warn: (code: string, message: string) => void): Record<string, string> {
  if (value === undefined || value === null || value === "") return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    warn("metadata-no-mapping", "metadata holds no fields; it is left alone");
    return {};
  }
  const entries = Object.entries(value).filter(([key]) => key !== "__proto__");
  if (entries.some(([, inner]) => typeof inner !== "string"))
    warn("metadata-nested", "metadata holds more than texts; they are kept as JSON");
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, typeof inner === "string" ? inner : (JSON.stringify(inner) ?? "")]),
  );
}

function toolsOf(value: unknown, warn: (code: string, message: string) => void): AgentSkillSpec["tools"] {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") {
    if (/,/.test(value))
      warn("allowed-tools-commas", "allowed-tools is parted by commas; the format has blanks");
    return toolPatterns(value).map(toolDescriptor);
  }
  if (!Array.isArray(value)) {
    // Nobody knows what is meant, so that it allows nothing.
    warn("allowed-tools-unreadable", "allowed-tools is neither a text nor a list: it allows no tool");
    return [];
  }
  warn("allowed-tools-list", "allowed-tools is a list; the format has one text");
  return value.flatMap((entry) => (typeof entry === "string" ? toolPatterns(entry) : [])).map(toolDescriptor);
}
