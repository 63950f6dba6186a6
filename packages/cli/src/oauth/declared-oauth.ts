import { spelledOut } from "../a2a/spelled-out.ts";

/** Ways to get a token that need no more than this command; `authorization-code` needs a browser beside it. */
export const FLOWS = ["device", "authorization-code", "client-credentials"] as const;
export type Flow = (typeof FLOWS)[number];

/** One scheme of a card that OAuth gets tokens for. */
export interface DeclaredOauth {
  readonly scheme: string;
  /** Empty where only the metadata says it. */
  readonly flows: readonly Flow[];
  readonly tokenUrl: string | undefined;
  readonly deviceUrl: string | undefined;
  readonly authorizationUrl: string | undefined;
  /** A document that says the rest (OpenID Connect Discovery, RFC 8414). */
  readonly metadataUrl: string | undefined;
  /** By flow, what the card names. */
  readonly scopes: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

/** What the card of either version declares; cards come from strangers. */
export function declaredOauth(card: object): readonly DeclaredOauth[] {
  return Object.entries(objectOf((card as Members)["securitySchemes"])).flatMap(([scheme, given]) => {
    const members = spelledOut(objectOf(given));
    const oauth = inner(members, "oauth2SecurityScheme", "oauth2");
    if (oauth !== undefined) return [ofFlows(scheme, oauth)];
    const openId = inner(members, "openIdConnectSecurityScheme", "openIdConnect");
    const metadataUrl = textOf(openId?.["openIdConnectUrl"]);
    return metadataUrl === undefined ? [] : [{ ...NONE, scheme, metadataUrl }];
  });
}

const NONE = {
  flows: [],
  tokenUrl: undefined,
  deviceUrl: undefined,
  authorizationUrl: undefined,
  scopes: [],
} as const;

function ofFlows(scheme: string, oauth: Members): DeclaredOauth {
  const flows = spelledOut(objectOf(oauth["flows"]));
  const device = objectOf(flows["deviceCode"]);
  const code = objectOf(flows["authorizationCode"]);
  const client = objectOf(flows["clientCredentials"]);
  const there = (flow: Members) => Object.keys(flow).length > 0;
  const scopes = [device, code, client].flatMap((flow) => Object.keys(objectOf(flow["scopes"])));
  return {
    scheme,
    flows: [
      ...(there(device) ? (["device"] as const) : []),
      ...(there(code) ? (["authorization-code"] as const) : []),
      ...(there(client) ? (["client-credentials"] as const) : []),
    ],
    tokenUrl: textOf(device["tokenUrl"]) ?? textOf(code["tokenUrl"]) ?? textOf(client["tokenUrl"]),
    deviceUrl: textOf(device["deviceAuthorizationUrl"]),
    authorizationUrl: textOf(code["authorizationUrl"]),
    metadataUrl: textOf(oauth["oauth2MetadataUrl"]),
    scopes: [...new Set(scopes)],
  };
}

/** In 1.0 the member says the kind, in 0.3 `type`. */
function inner(scheme: Members, member: string, type: string): Members | undefined {
  if (scheme[member] !== undefined) return objectOf(scheme[member]);
  return scheme["type"] === type ? scheme : undefined;
}

function objectOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
