import {
  createDispatcher,
  createMethodHandlers,
  type Logger,
  type MessageActor,
  MessageRunner,
  MessageService,
  type MessageTurn,
  TaskFeeds,
  TaskService,
  type TurnEnd,
  type TurnLog,
} from "@cleveragents/application";
import { SystemClock, UlidGenerator } from "@cleveragents/infrastructure/clock";
import { openSqliteDatabase } from "@cleveragents/infrastructure/sqlite";
import { buildAgentCard, LOCAL_PRINCIPAL } from "@cleveragents/protocol";
import { createHttpServer } from "@cleveragents/transport-http/server";
import { inFlight } from "../library/in-flight.ts";
import { clock as sharedClock } from "../library/questions.ts";
import { silentLogger } from "../library/silent-logger.ts";
import { chunk, chunkText, SMALL_TASK_EVENTS, TRIVIAL, TRIVIAL_ANSWER } from "../library/tasks.ts";
import type { Role } from "./role.ts";

/** Has done what it is asked for before it is asked; or says as many updates as it is told to. */
class Actor implements MessageActor {
  readonly told: ((updates: number) => void)[] = [];

  async run({ message }: MessageTurn, log: TurnLog): Promise<TurnEnd> {
    if (message.messageId.startsWith(TRIVIAL))
      return { state: "completed", parts: [{ kind: "text", text: TRIVIAL_ANSWER }] };
    const updates = await new Promise<number>((resolve) => this.told.push(resolve));
    for (let n = 0; n < updates; n++) {
      const artifact = { artifactId: "output", parts: [{ kind: "text", text: chunkText(n) }] } as const;
      await log.artifact({ artifact, append: n > 0 });
    }
    return { state: "completed" };
  }
}

/** The product's tasks over HTTP, with an actor that says what it is told to; SQLite in a file, nothing else wired. */
export async function begin({ path }: { readonly path: string }): Promise<Role> {
  const clock = new SystemClock();
  const ids = new UlidGenerator({ clock });
  const logger: Logger = silentLogger;
  const { tasks: store, registry, sessions } = await openSqliteDatabase({ path, clock, logger });
  const feeds = new TaskFeeds(store);
  const unused = undefined as never; // reading and following tasks asks neither plans nor people
  const actor = new Actor();
  const runner = new MessageRunner({ store, actor, clock, ids, logger });
  const tasks = new TaskService({ store, feeds, plans: unused, runner });
  const messages = new MessageService({
    store,
    feeds,
    registry,
    sessions,
    ids,
    asks: unused,
    plans: unused,
    push: undefined,
    runner,
  });
  const server = createHttpServer({
    dispatcher: createDispatcher({ handlers: createMethodHandlers({ tasks, messages }), clock, ids, logger }),
    authenticator: undefined,
    card: () =>
      buildAgentCard({ version: "0", baseUrl: "http://localhost", schemes: [], retentionSeconds: 1 }),
    probes: { service: "bench", version: "0", ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: [],
    heartbeatMs: 600_000,
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });

  async function create(events: typeof SMALL_TASK_EVENTS | []): Promise<string> {
    const taskId = ids.next();
    const create = { contextId: ids.next(), principal: LOCAL_PRINCIPAL.id, kind: "message" } as const;
    await store.commit({ taskId, create, events });
    return taskId;
  }
  return {
    ready: String(port),
    answers: {
      small: () => create(SMALL_TASK_EVENTS),
      empty: () => create([]),
      many: ({ tasks }: { tasks: number }) => inFlight(tasks, 256, () => create(SMALL_TASK_EVENTS)),
      /** One update of a task that somebody follows; answers when it was handed in. */
      async append({ taskId }: { taskId: string }) {
        const began = sharedClock();
        await store.commit({ taskId, events: [{ key: ids.next(), event: chunk(0) }] });
        return began;
      },
      publish({ updates }: { updates: number }) {
        const began = sharedClock();
        actor.told.shift()?.(updates);
        return began;
      },
    },
  };
}
