import { spelledOut } from "./spelled-out.ts";

/** What this command needs to know of a card, whichever version it is of; what a card does not have is absent. */
export interface CardFacts {
  readonly name: string;
  readonly description: string | undefined;
  readonly version: string | undefined;
  readonly provider: string | undefined;
  readonly documentation: string | undefined;
  /** In the agent's order of preference. */
  readonly interfaces: readonly CardInterface[];
  readonly capabilities: readonly string[];
  readonly hasExtendedCard: boolean;
  readonly extensions: readonly string[];
  readonly schemes: readonly CardScheme[];
  /** Whether something must be given: no way in asks for nothing. */
  readonly needsCredential: boolean;
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
  readonly skills: readonly { readonly id: string; readonly description: string }[];
  readonly isSigned: boolean;
}

export interface CardInterface {
  readonly url: string;
  readonly binding: string;
  readonly version: string;
  readonly tenant: string | undefined;
}

export interface CardScheme {
  readonly name: string;
  readonly kind: "apiKey" | "bearer" | "other";
  /** What a person should know of it. */
  readonly words: string;
  /** Of an API key: where it goes. */
  readonly place: { readonly location: string; readonly name: string } | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Cards come from strangers, so nothing is taken for granted. */
export function cardFacts(card: object): CardFacts {
  const given = card as Members;
  const capabilities = objectOf(given["capabilities"]);
  const hasExtendedCard =
    capabilities["extendedAgentCard"] === true || given["supportsAuthenticatedExtendedCard"] === true;
  const provider = objectOf(given["provider"]);
  return {
    name: textOf(given["name"]) ?? "",
    description: textOf(given["description"]),
    version: textOf(given["version"]),
    provider: [textOf(provider["organization"]), textOf(provider["url"])].filter(isThere).join(", "),
    documentation: textOf(given["documentationUrl"]),
    interfaces: interfacesOf(given),
    capabilities: [
      ...(capabilities["streaming"] === true ? ["streaming"] : []),
      ...(capabilities["pushNotifications"] === true ? ["push notifications"] : []),
      ...(hasExtendedCard ? ["extended card"] : []),
    ],
    hasExtendedCard,
    extensions: listOf(capabilities["extensions"]).flatMap((extension) => {
      const uri = textOf(extension["uri"]);
      return uri === undefined ? [] : [extension["required"] === true ? `${uri} (required)` : uri];
    }),
    schemes: Object.entries(objectOf(given["securitySchemes"])).map(([name, scheme]) =>
      schemeOf(name, objectOf(scheme)),
    ),
    needsCredential: needsCredential(given),
    inputModes: textsOf(given["defaultInputModes"]),
    outputModes: textsOf(given["defaultOutputModes"]),
    skills: listOf(given["skills"]).map((skill) => ({
      id: textOf(skill["id"]) ?? "",
      description: textOf(skill["description"]) ?? textOf(skill["name"]) ?? "",
    })),
    isSigned: listOf(given["signatures"]).length > 0,
  };
}

function interfacesOf(card: Members): CardInterface[] {
  const preferred = listOf(card["supportedInterfaces"]).map((one) => ({
    url: textOf(one["url"]) ?? "",
    binding: textOf(one["protocolBinding"]) ?? "",
    version: textOf(one["protocolVersion"]) ?? "",
    tenant: textOf(one["tenant"]),
  }));
  if (preferred.length > 0) return preferred;
  const url = textOf(card["url"]);
  const version = textOf(card["protocolVersion"]) ?? "0.3";
  const first =
    url === undefined ? [] : [{ url, transport: textOf(card["preferredTransport"]) ?? "JSONRPC" }];
  const others = listOf(card["additionalInterfaces"]).map((one) => ({
    url: textOf(one["url"]) ?? "",
    transport: textOf(one["transport"]) ?? "",
  }));
  const all = [...first, ...others.filter((one) => one.url !== url || one.transport !== first[0]?.transport)];
  return all.map((one) => ({ url: one.url, binding: one.transport, version, tenant: undefined }));
}

/** In 1.0 the member says the kind, in 0.3 `type`; a card for both has both. */
function schemeOf(name: string, given: Members): CardScheme {
  const scheme = spelledOut(given);
  const inner = (member: string) => (scheme[member] === undefined ? undefined : objectOf(scheme[member]));
  const type = textOf(scheme["type"]);
  const of = (member: string, legacyType: string) =>
    inner(member) ?? (type === legacyType ? scheme : undefined);
  const key = of("apiKeySecurityScheme", "apiKey");
  if (key !== undefined) {
    const place = {
      location: textOf(key["location"]) ?? textOf(key["in"]) ?? "header",
      name: textOf(key["name"]) ?? "",
    };
    return { name, kind: "apiKey", words: `API key in ${place.location} ${place.name}`, place };
  }
  const http = of("httpAuthSecurityScheme", "http");
  if (http !== undefined) {
    const word = textOf(http["scheme"]) ?? "";
    const isBearer = word.toLowerCase() === "bearer";
    return { name, kind: isBearer ? "bearer" : "other", words: `HTTP ${word}`, place: undefined };
  }
  if (of("oauth2SecurityScheme", "oauth2") !== undefined)
    return { name, kind: "bearer", words: "OAuth 2", place: undefined };
  const openId = of("openIdConnectSecurityScheme", "openIdConnect");
  if (openId !== undefined) {
    const words = `OpenID Connect ${textOf(openId["openIdConnectUrl"]) ?? ""}`;
    return { name, kind: "bearer", words, place: undefined };
  }
  const mutual = of("mtlsSecurityScheme", "mutualTLS") !== undefined;
  return { name, kind: "other", words: mutual ? "mutual TLS" : "unknown", place: undefined };
}

function needsCredential(card: Members): boolean {
  const requirements = card["securityRequirements"] ?? card["security"];
  const ways = listOf(requirements).map((one) => objectOf(one["schemes"] ?? one));
  return ways.length > 0 && ways.every((schemes) => Object.keys(schemes).length > 0);
}

function objectOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function listOf(value: unknown): Members[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function isThere(value: string | undefined): value is string {
  return value !== undefined;
}
