import { A2aActorSchema, type JsonObject, RemoteGraphActorSchema } from "@cleveragents/domain";
import type { MessageActor, MessageActors } from "../ports/message-actor.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { RemoteActor } from "../ports/remote-agent.ts";
import { RemoteMessageActor } from "./remote-message-actor.ts";
import type { RemoteDeps } from "./remote-turn.ts";

/** Registered actors that work elsewhere, as those who answer messages. */
export class RemoteActors implements MessageActors {
  readonly #deps: RemoteDeps & { readonly registry: Pick<RegistryStore, "find"> };

  constructor(deps: RemoteDeps & { readonly registry: Pick<RegistryStore, "find"> }) {
    this.#deps = deps;
  }

  async find(name: string): Promise<MessageActor | undefined> {
    const actor = remoteActorIn((await this.#deps.registry.find("actor", name))?.document);
    return actor && new RemoteMessageActor(this.#deps, actor);
  }
}

/** What a registered actor is, if it works elsewhere. */
export function remoteActorIn(document: JsonObject | undefined): RemoteActor | undefined {
  switch (document?.["type"]) {
    case "a2a":
      return A2aActorSchema.parse(document);
    case "remote_graph":
      return RemoteGraphActorSchema.parse(document);
    default:
      return undefined;
  }
}
