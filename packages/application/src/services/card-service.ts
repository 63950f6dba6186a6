import {
  type AgentCard,
  type AgentSkill,
  buildExtendedAgentCard,
  type CallContext,
  type CardConfig,
  type Principal,
} from "@cleveragents/protocol";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";

export interface CardServiceDeps {
  /** What the public card says at the moment. */
  readonly card: () => CardConfig;
  readonly registry: Pick<RegistryStore, "list">;
}

/** What the agent says of itself to callers that it knows. */
export class CardService {
  readonly #deps: CardServiceDeps;

  constructor(deps: CardServiceDeps) {
    this.#deps = deps;
  }

  /** The public card with each action as a skill, for a caller who may see actions; over stdio with that binding. */
  async extended(principal: Principal, binding: CallContext["binding"]): Promise<AgentCard> {
    const { card, registry } = this.#deps;
    const actions = principal.scopes.includes("registry:read") ? await registry.list("action") : [];
    const skills = actions.filter(({ document }) => document["state"] !== "archived").map(toSkill);
    return buildExtendedAgentCard(card(), { skills, overStdio: binding === "stdio" });
  }
}

/** A message whose data part is an action call asks for it. */
function toSkill({ name, document }: RegistryEntry): AgentSkill {
  return {
    id: name,
    name,
    description: String(document["description"]),
    tags: ["action", name.slice(0, name.indexOf("/"))],
  };
}
