import {
  type Clock,
  type MessageActor,
  type MessageActors,
  MessageKeeper,
  MessageRunner,
  MessageService,
  SessionCloser,
  SessionLine,
  SessionService,
  type SessionStore,
  TaskFeeds,
  TaskService,
  type TaskStore,
} from "@cleveragents/application";
import { isTerminal, type Message, type Part, type Session, textOf } from "@cleveragents/domain";
import { SystemClock, UlidGenerator } from "@cleveragents/infrastructure/clock";
import {
  InMemoryRegistryStore,
  InMemorySessionStore,
  InMemoryTaskStore,
} from "@cleveragents/infrastructure/memory";
import { LOCAL_PRINCIPAL } from "@cleveragents/protocol";

export const logger = { debug() {}, info() {}, warn() {}, error() {} };
export const me = LOCAL_PRINCIPAL;

/** What outlives a process: the stores, and the ids that were given out. */
export function openStores(clock: Clock = new SystemClock()) {
  const ids = new UlidGenerator({ clock });
  return {
    clock,
    ids,
    store: new InMemoryTaskStore({ clock, logger }),
    sessions: new InMemorySessionStore(),
  };
}

export interface Stores {
  readonly clock: Clock;
  readonly ids: UlidGenerator;
  readonly store: TaskStore;
  readonly sessions: SessionStore;
}

/** All that answers messages of sessions, as one process of the product has it; there are no plans. */
export function converse(
  stores: Stores,
  options: {
    readonly actor?: MessageActor;
    readonly actors?: MessageActors;
    readonly timeoutMs?: number;
    readonly maxSessions?: number;
  },
) {
  const { store, sessions, clock, ids } = stores;
  const runner: MessageRunner = new MessageRunner({
    store,
    sessions,
    actor: options.actor,
    actors: options.actors,
    clock,
    ids,
    logger,
    over: ({ contextId }) => void line.call(contextId),
  });
  const line = new SessionLine({ store, sessions, runner, clock, logger });
  const feeds = new TaskFeeds(store);
  const registry = new InMemoryRegistryStore();
  const plans = undefined as never; // there are none
  const messages = new MessageService({
    store,
    feeds,
    registry,
    sessions,
    ids,
    asks: undefined as never,
    plans,
    push: undefined,
    runner,
    line,
  });
  const closer = new SessionCloser({ sessions, store, runner, clock, logger });
  const { timeoutMs, maxSessions } = options;
  const service = new SessionService({
    sessions,
    store,
    registry,
    closer,
    actors: options.actors,
    clock,
    ids,
    timeoutMs,
    maxSessions,
  });
  return {
    service,
    closer,
    messages,
    runner,
    tasks: new TaskService({ store, feeds, plans, runner, line }),
    keeper: new MessageKeeper({ store, runner, line, clock, ids, logger }),
    say: (contextId: string, said: string | readonly Part[], messageId = ids.next()) =>
      messages.send(me, {
        message: { messageId, role: "user", contextId, parts: partsOf(said) },
        returnImmediately: true,
        signal: new AbortController().signal,
      }),
  };
}

export function partsOf(said: string | readonly Part[]): readonly Part[] {
  return typeof said === "string" ? [{ kind: "text", text: said }] : said;
}

export function aSession(sessionId: string, more: Partial<Session> = {}): Session {
  return { sessionId, principal: me.id, status: "created", createdAt: 1, updatedAt: 1, ...more };
}

/** Texts of messages, behind who said them. */
export function script(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => `${message.role}: ${textOf(message)}`);
}

/** Every task of a session, as they were begun. */
export async function tasksIn(store: TaskStore, contextId: string) {
  const { rows } = await store.list({ principal: me.id, contextId, limit: 500 });
  return [...rows].sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
}

export async function allOver(store: TaskStore, contextId: string): Promise<boolean> {
  return (await tasksIn(store, contextId)).every(({ state }) => isTerminal(state));
}
