import type { Authenticator } from "../authenticator.ts";
import type { AgentCard } from "../schemas/agent-card.ts";

type Schemes = Authenticator["schemes"];
type SecurityScheme = NonNullable<AgentCard["securitySchemes"]>[string];

/** What an `Authenticator` accepts, as the card declares it (A2A §4.5). Each scheme alone is enough. */
export function cardSecurity(
  schemes: Schemes,
  openIdConnectUrl: string | undefined,
): Pick<AgentCard, "securitySchemes" | "securityRequirements"> {
  if (schemes.length === 0) return {};
  const all: Readonly<Record<Schemes[number], SecurityScheme>> = {
    bearer: { httpAuthSecurityScheme: { scheme: "Bearer", description: "an API key of this agent" } },
    apiKey: {
      apiKeySecurityScheme: {
        location: "header",
        name: "X-API-Key",
        description: "an API key of this agent",
      },
    },
    jwt:
      openIdConnectUrl === undefined
        ? { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } }
        : { openIdConnectSecurityScheme: { openIdConnectUrl } },
  };
  return {
    securitySchemes: Object.fromEntries(schemes.map((scheme) => [scheme, all[scheme]])),
    securityRequirements: schemes.map((scheme) => ({ schemes: { [scheme]: { list: [] } } })),
  };
}
