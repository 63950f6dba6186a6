import { isModelName, LlmActorSchema, parseModelName, providerActor } from "@cleveragents/domain";
import type { MessageActor, MessageActors } from "../ports/message-actor.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import { type ConversationDeps, LlmMessageActor } from "./llm-message-actor.ts";

/** Models that answer messages: registered actors of the type `llm`, and providers' models by their names. */
export class LlmActors implements MessageActors {
  readonly #deps: ConversationDeps & { readonly registry: Pick<RegistryStore, "find" | "list"> };

  constructor(deps: ConversationDeps & { readonly registry: Pick<RegistryStore, "find" | "list"> }) {
    this.#deps = deps;
  }

  async find(name: string): Promise<MessageActor | undefined> {
    const document = (await this.#deps.registry.find("actor", name))?.document;
    if (document !== undefined)
      return document["type"] === "llm"
        ? new LlmMessageActor(this.#deps, LlmActorSchema.parse(document))
        : undefined;
    if (!isModelName(name)) return undefined;
    const { provider } = parseModelName(name);
    const known = (await this.#deps.models.providers()).some((one) => one.name === provider);
    return known ? new LlmMessageActor(this.#deps, providerActor(name)) : undefined;
  }
}
