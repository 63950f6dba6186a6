import {
  createDispatcher,
  createMethodHandlers,
  type Logger,
  type MessageActor,
  MessageRunner,
  MessageService,
  TaskFeeds,
  TaskService,
} from "@cleveragents/application";
import { SystemClock, UlidGenerator } from "@cleveragents/infrastructure/clock";
import { openSqliteDatabase } from "@cleveragents/infrastructure/sqlite";
import { buildAgentCard, LOCAL_PRINCIPAL } from "@cleveragents/protocol";
import { createHttpServer } from "@cleveragents/transport-http/server";
import { inFlight } from "../library/in-flight.ts";
import { clock as sharedClock } from "../library/questions.ts";
import { silentLogger } from "../library/silent-logger.ts";
import { chunk, SMALL_TASK_EVENTS, TRIVIAL_ANSWER } from "../library/tasks.ts";
import type { Role } from "./role.ts";

/** Has done what it is asked for before it is asked. */
const trivial: MessageActor = {
  run: async () => ({ state: "completed", parts: [{ kind: "text", text: TRIVIAL_ANSWER }] }),
};

/** The product's tasks over HTTP, with a writer in the same process; SQLite in a file, nothing else wired. */
export async function begin({ path }: { readonly path: string }): Promise<Role> {
  const clock = new SystemClock();
  const ids = new UlidGenerator({ clock });
  const logger: Logger = silentLogger;
  const { tasks: store, registry, sessions } = await openSqliteDatabase({ path, clock, logger });
  const feeds = new TaskFeeds(store);
  const unused = undefined as never; // reading and following tasks asks neither plans nor people
  const runner = new MessageRunner({ store, actor: trivial, clock, ids, logger });
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
      /** Appends updates, a command each, as fast as they can be handed in; answers when the first was. */
      async publish({ taskId, updates }: { taskId: string; updates: number }) {
        const began = sharedClock();
        await inFlight(updates, updates, (n) =>
          store.commit({ taskId, events: [{ key: ids.next(), event: chunk(n) }] }),
        );
        return began;
      },
    },
  };
}
