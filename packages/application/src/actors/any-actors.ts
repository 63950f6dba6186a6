import type { MessageActor, MessageActors } from "../ports/message-actor.ts";

/** Several kinds of actors, each of which knows its own names. */
export class AnyActors implements MessageActors {
  readonly #kinds: readonly MessageActors[];

  constructor(kinds: readonly MessageActors[]) {
    this.#kinds = kinds;
  }

  async find(name: string): Promise<MessageActor | undefined> {
    for (const kind of this.#kinds) {
      const found = await kind.find(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
