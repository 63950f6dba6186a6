import type { AgentCard, AgentSkill } from "../schemas/agent-card.ts";

type Members = Readonly<Record<string, unknown>>;
type SecurityScheme = NonNullable<AgentCard["securitySchemes"]>[string];

/**
 * A 1.0 card as a card of A2A 0.3: one endpoint is preferred and stands in the card itself, the others beside it. Both
 * versions are served at the same addresses, so a card that lists none for 0.3 gives those of 1.0.
 */
export function toLegacyAgentCard(card: AgentCard): Record<string, unknown> {
  const { extendedAgentCard, ...capabilities } = card.capabilities;
  return present({
    ...legacyEndpoints(card.supportedInterfaces),
    ...commonMembers(card),
    capabilities,
    supportsAuthenticatedExtendedCard: extendedAgentCard,
    securitySchemes:
      card.securitySchemes === undefined ? undefined : mapValues(card.securitySchemes, toLegacyScheme),
    security: toLegacySecurity(card.securityRequirements),
    skills: card.skills.map(toLegacySkill),
  });
}

/** What both cards have under the same name. */
export function commonMembers(card: AgentCard): Members {
  const {
    name,
    description,
    version,
    provider,
    documentationUrl,
    iconUrl,
    defaultInputModes,
    defaultOutputModes,
  } = card;
  return {
    name,
    description,
    version,
    provider,
    documentationUrl,
    iconUrl,
    defaultInputModes,
    defaultOutputModes,
  };
}

export function legacyEndpoints(supportedInterfaces: AgentCard["supportedInterfaces"]): Members {
  const own = supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === "0.3");
  const [first, ...rest] = (own.length > 0 ? own : supportedInterfaces).map(({ url, protocolBinding }) => ({
    url,
    transport: protocolBinding,
  }));
  return {
    protocolVersion: "0.3.0",
    url: first?.url,
    preferredTransport: first?.transport,
    additionalInterfaces: rest.length === 0 ? undefined : rest,
  };
}

/** The member that names a scheme in 1.0 is its `type` in 0.3. */
export function toLegacyScheme(scheme: SecurityScheme): Record<string, unknown> {
  const { apiKeySecurityScheme: apiKey, httpAuthSecurityScheme: http } = scheme;
  if (apiKey !== undefined) {
    const { location, ...others } = apiKey;
    return present({ type: "apiKey", in: location, ...others });
  }
  if (http !== undefined) return present({ type: "http", ...http });
  if (scheme.oauth2SecurityScheme !== undefined)
    return present({ type: "oauth2", ...scheme.oauth2SecurityScheme });
  if (scheme.openIdConnectSecurityScheme !== undefined)
    return present({ type: "openIdConnect", ...scheme.openIdConnectSecurityScheme });
  if (scheme.mtlsSecurityScheme !== undefined)
    return present({ type: "mutualTLS", ...scheme.mtlsSecurityScheme });
  return { ...scheme };
}

/** `{ schemes: { bearer: { list: [] } } }` is `{ bearer: [] }` in 0.3. */
function toLegacySecurity(requirements: AgentCard["securityRequirements"]): unknown {
  return requirements?.map(({ schemes = {} }) => mapValues(schemes, ({ list }) => list ?? []));
}

function toLegacySkill({ securityRequirements, ...skill }: AgentSkill): unknown {
  return present({ ...skill, security: toLegacySecurity(securityRequirements) });
}

function mapValues<T>(object: Readonly<Record<string, T>>, map: (value: T) => unknown): Members {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

function present(members: Members): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
