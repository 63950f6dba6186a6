import { canonicalName, EntryNotFoundError, isModelName, type Message, textOf } from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import type { IdGenerator } from "../ports/clock.ts";
import type { MessageActors } from "../ports/message-actor.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { TaskSnapshot } from "../ports/task-store.ts";
import type { MessageService } from "./message-service.ts";
import type { TaskService } from "./task-service.ts";

export interface ActorRunDeps {
  readonly actors: MessageActors;
  readonly registry: Pick<RegistryStore, "find" | "list">;
  readonly messages: MessageService;
  readonly tasks: TaskService;
  readonly ids: IdGenerator;
}

export interface ActorRun {
  readonly name: string;
  readonly message: Message;
  readonly unsafe: boolean;
  readonly wait: boolean;
  readonly signal: AbortSignal;
}

/** An actor on its own, once: a message task that names it, in no session. */
export class ActorRunService {
  readonly #deps: ActorRunDeps;

  constructor(deps: ActorRunDeps) {
    this.#deps = deps;
  }

  /** For a message to which nobody has given one. */
  messageId(): string {
    return this.#deps.ids.next();
  }

  /** Throws `EntryNotFoundError`, InvalidParams for an actor that does not converse, and what sending throws. */
  async run(
    principal: Principal,
    { name, message, unsafe, wait, signal }: ActorRun,
  ): Promise<{ readonly actor: string; readonly response: string } & Answered> {
    const { messages, tasks } = this.#deps;
    const actor = await this.#converses(name);
    const sent = await messages.send(principal, { message, actor, unsafe, returnImmediately: !wait, signal });
    if ("message" in sent) return { actor, response: textOf(sent.message), message: sent.message };
    const snapshot = await tasks.get(principal, sent.taskId, undefined);
    const last = snapshot.history.at(-1);
    return { actor, response: last?.role === "agent" ? textOf(last) : "", snapshot };
  }

  async #converses(name: string): Promise<string> {
    const { actors, registry } = this.#deps;
    const full = isModelName(name) ? name : canonicalName(name);
    if ((await actors.find(full)) !== undefined) return full;
    if ((await registry.find("actor", full)) === undefined)
      throw new EntryNotFoundError(
        "actor",
        full,
        (await registry.list("actor")).map((entry) => entry.name),
      );
    const description = `${full} does not converse; name it in an action, and use that`;
    throw new ProtocolError("InvalidParams", { violations: [{ field: "name", description }] });
  }
}

interface Answered {
  readonly message?: Message;
  readonly snapshot?: TaskSnapshot;
}
