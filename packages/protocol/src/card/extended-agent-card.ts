import type { AgentCard, AgentSkill } from "../schemas/agent-card.ts";
import { A2A_VERSIONS } from "../version.ts";
import { buildAgentCard, type CardConfig } from "./build-agent-card.ts";

export const STDIO_BINDING = "urn:cleveragents:bindings:stdio:v1";

export interface ExtendedCard {
  /** What this caller can ask for beyond the public skills. */
  readonly skills: readonly AgentSkill[];
  /** The caller is on the stdio binding, which asks for no credential. */
  readonly overStdio: boolean;
}

/** The card for callers that are known (A2A §3.1.11). */
export function buildExtendedAgentCard(config: CardConfig, { skills, overStdio }: ExtendedCard): AgentCard {
  const card = buildAgentCard(config);
  const extended = { ...card, skills: [...card.skills, ...skills] };
  if (!overStdio) return extended;
  const { versions = A2A_VERSIONS } = config;
  return {
    ...extended,
    supportedInterfaces: [
      ...A2A_VERSIONS.filter((version) => versions.includes(version)).map((protocolVersion) => ({
        url: "stdio:",
        protocolBinding: STDIO_BINDING,
        protocolVersion,
      })),
      ...card.supportedInterfaces,
    ],
    // Nothing at all is one of the ways in.
    ...(card.securityRequirements === undefined
      ? {}
      : { securityRequirements: [{ schemes: {} }, ...card.securityRequirements] }),
  };
}
