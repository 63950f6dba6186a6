import type { z } from "zod";
import { type AgentCard, AgentCardSchema } from "../schemas/agent-card.ts";
import { type LegacyAgentCard, LegacyAgentCardSchema } from "../schemas/legacy-agent-card.ts";
import type { A2aVersion } from "../version.ts";

/** What is wrong in a card, `path` in dotted form. */
export interface CardProblem {
  readonly version: A2aVersion;
  readonly path: string;
  readonly message: string;
}

export interface CheckedCard {
  /** The versions whose members the card has; none of a text that is no card at all. */
  readonly versions: readonly A2aVersion[];
  readonly problems: readonly CardProblem[];
}

/** Judges a card by each version of A2A that it is one of: the schema, and what the specification asks besides. */
export function checkAgentCard(card: unknown): CheckedCard {
  const versions = versionsOf(card);
  return { versions, problems: versions.flatMap((version) => CHECKS[version](card)) };
}

/** `supportedInterfaces` is what only 1.0 has, `url` what only 0.3 has. */
function versionsOf(card: unknown): A2aVersion[] {
  if (typeof card !== "object" || card === null) return [];
  return [
    ...("supportedInterfaces" in card ? (["1.0"] as const) : []),
    ...("url" in card || "protocolVersion" in card ? (["0.3"] as const) : []),
  ];
}

const CHECKS: Readonly<Record<A2aVersion, (card: unknown) => CardProblem[]>> = {
  "1.0": (card) => judge("1.0", AgentCardSchema, card, rulesOf10),
  "0.3": (card) => judge("0.3", LegacyAgentCardSchema, card, rulesOf03),
};

type Finding = readonly [path: string, message: string];

function judge<T>(
  version: A2aVersion,
  schema: z.ZodType<T>,
  card: unknown,
  rules: (parsed: T) => Finding[],
): CardProblem[] {
  const { success, data, error } = schema.safeParse(card);
  const findings = success ? rules(data) : error.issues.flatMap((issue) => flatten(issue));
  return findings.map(([path, message]) => ({ version, path, message }));
}

/** Of a member that may be one thing or null, the first form is what was meant. */
function flatten(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): Finding[] {
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors[0] !== undefined && issue.errors[0].length > 0)
    return issue.errors[0].flatMap((inner) => flatten(inner, path));
  return [[path.map(String).join("."), issue.message]];
}

/** Required members of the proto (A2A §4.4) are more than there: a default counts as absent. */
function rulesOf10(card: AgentCard): Finding[] {
  const { supportedInterfaces, securitySchemes = {}, securityRequirements = [] } = card;
  return [
    ...notEmpty(card, ["name", "description", "version"]),
    ...notEmpty(card, ["supportedInterfaces", "defaultInputModes", "defaultOutputModes", "skills"]),
    ...supportedInterfaces.flatMap(({ url, protocolBinding, protocolVersion }, index) => [
      ...address(`supportedInterfaces.${index}.url`, url, protocolBinding),
      ...notEmpty({ protocolBinding, protocolVersion }, ["protocolBinding", "protocolVersion"]).map(
        ([path, message]): Finding => [`supportedInterfaces.${index}.${path}`, message],
      ),
    ]),
    ...Object.entries(securitySchemes).flatMap(([name, scheme]): Finding[] =>
      Object.values(scheme).filter((member) => member !== undefined).length === 1
        ? []
        : [[`securitySchemes.${name}`, "must have exactly one of the kinds of schemes"]],
    ),
    ...unknownSchemes(
      "securityRequirements",
      securityRequirements.map(({ schemes = {} }) => Object.keys(schemes)),
      Object.keys(securitySchemes),
    ),
  ];
}

function rulesOf03(card: LegacyAgentCard): Finding[] {
  const { url, additionalInterfaces = [], securitySchemes = {}, security = [] } = card;
  return [
    ...notEmpty(card, ["name", "description", "version", "url"]),
    ...address("url", url, card.preferredTransport ?? "JSONRPC"),
    ...additionalInterfaces.flatMap((one, index) =>
      address(`additionalInterfaces.${index}.url`, one.url, one.transport),
    ),
    ...unknownSchemes("security", security.map(Object.keys), Object.keys(securitySchemes)),
  ];
}

function notEmpty<T extends object>(card: T, names: readonly (keyof T & string)[]): Finding[] {
  return names.flatMap((name): Finding[] =>
    (card[name] as string | readonly unknown[]).length === 0 ? [[name, "must not be empty"]] : [],
  );
}

const OVER_HTTP = new Set(["JSONRPC", "HTTP+JSON"]);

/** Bindings of others have addresses of their own; gRPC's may be a host and a port. */
function address(path: string, url: string, binding: string): Finding[] {
  if (!OVER_HTTP.has(binding) || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return [];
  return [[path, "must be an absolute http or https URL"]];
}

function unknownSchemes(
  member: string,
  requirements: readonly (readonly string[])[],
  known: readonly string[],
): Finding[] {
  return requirements.flatMap((names, index) =>
    names
      .filter((name) => !known.includes(name))
      .map(
        (name): Finding => [`${member}.${index}`, `names the scheme "${name}", which the card does not have`],
      ),
  );
}
