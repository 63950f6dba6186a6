import {
  canonicalName,
  EntryNotFoundError,
  isProviderActor,
  type Session,
  SessionNotFoundError,
} from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { CommandEnvironments } from "../ports/command-environments.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { SessionStore } from "../ports/session-store.ts";
import { mayUse } from "./access.ts";

export class SessionService {
  readonly #sessions: SessionStore;
  readonly #registry: Pick<RegistryStore, "find" | "list">;
  readonly #clock: Clock;
  readonly #ids: IdGenerator;
  readonly #environments: Pick<CommandEnvironments, "stop"> | undefined;

  constructor(deps: {
    readonly sessions: SessionStore;
    readonly registry: Pick<RegistryStore, "find" | "list">;
    readonly clock: Clock;
    readonly ids: IdGenerator;
    /** What runs for the session's plans outside of the agent ends with it. */
    readonly environments?: Pick<CommandEnvironments, "stop"> | undefined;
  }) {
    this.#sessions = deps.sessions;
    this.#registry = deps.registry;
    this.#clock = deps.clock;
    this.#ids = deps.ids;
    this.#environments = deps.environments;
  }

  /**
   * Opens a session. With an id that the caller has already it answers that one; with somebody else's,
   * `SessionNotFoundError`. Throws `EntryNotFoundError` for an actor that is neither registered nor a provider's model.
   */
  async create(
    principal: Principal,
    request: {
      readonly sessionId?: string | undefined;
      readonly actor?: string | undefined;
      readonly name?: string | undefined;
    },
  ): Promise<Session> {
    const now = this.#clock.now();
    const actor = request.actor === undefined ? undefined : await this.#actorOf(request.actor);
    const session = await this.#sessions.create({
      sessionId: request.sessionId ?? this.#ids.next(),
      principal: principal.id,
      status: "open",
      createdAt: now,
      updatedAt: now,
      ...(actor === undefined ? {} : { actor }),
      ...(request.name === undefined ? {} : { name: request.name }),
    });
    if (!mayUse(principal, session)) throw new SessionNotFoundError(session.sessionId);
    return session;
  }

  /**
   * Closes a session; closing it again changes nothing. Containers of its plans are stopped, as far as that succeeds
   * within seconds.
   */
  async close(principal: Principal, sessionId: string): Promise<void> {
    const session = await this.#sessions.find(sessionId);
    if (session === undefined || !mayUse(principal, session)) throw new SessionNotFoundError(sessionId);
    if (session.status !== "open") return;
    await this.#sessions.close(sessionId, this.#clock.now());
    await this.#environments?.stop({ contextId: sessionId });
  }

  async list(principal: Principal): Promise<readonly Session[]> {
    return this.#sessions.list(principal.id);
  }

  async #actorOf(name: string): Promise<string> {
    if (isProviderActor(name)) return name;
    const full = canonicalName(name);
    if ((await this.#registry.find("actor", full)) !== undefined) return full;
    if ((await this.#registry.find("action", full))?.document["script"] !== undefined) return full;
    throw new EntryNotFoundError(
      "actor",
      full,
      (await this.#registry.list("actor")).map((known) => known.name),
    );
  }
}
