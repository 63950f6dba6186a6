import { PLATFORM_EXTENSION } from "../extensions.ts";
import type { AgentCard } from "../schemas/agent-card.ts";
import { toLegacyAgentCard, toLegacyScheme } from "./legacy-agent-card.ts";

/**
 * One card for readers that do not say which version they know: the members of A2A 1.0 and of 0.3 side by side, where
 * each reader ignores the other's. Its signatures are those of the 1.0 card, which a reader of 1.0 finds in it.
 */
export function toBlendedAgentCard(card: AgentCard): Record<string, unknown> {
  const { securitySchemes, skills } = card;
  const legacy = toLegacyAgentCard(card);
  const legacySkills = legacy["skills"] as object[];
  return {
    ...legacy,
    ...card,
    ...(securitySchemes === undefined
      ? {}
      : {
          securitySchemes: Object.fromEntries(
            Object.entries(securitySchemes).map(([name, scheme]) => [
              name,
              { ...toLegacyScheme(scheme), ...scheme },
            ]),
          ),
        }),
    skills: skills.map((skill, index) => ({ ...legacySkills[index], ...skill })),
    extensions: platformExtension(card),
  };
}

/** Where the product's first documents look for the platform's methods. */
function platformExtension({ capabilities }: AgentCard): unknown {
  return capabilities.extensions
    ?.filter(({ uri }) => uri === PLATFORM_EXTENSION)
    .map(({ uri, params }) => ({ uri, version: "v1", methods: params?.["methods"] }));
}
