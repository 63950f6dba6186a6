import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@cleveragents/application";
import type { Client, QueryConfig } from "pg";
import { fromColumnText } from "../schema/column-text.ts";
import { StoreClosedError } from "../schema/store-closed-error.ts";
import { endQuietly } from "./end-quietly.ts";
import { deadlineIn, persist } from "./patience.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

const CHANNEL = "cleveragents_tasks";
/** A connection that nothing comes from may have died without a word. */
const PROBE_EVERY_MS = 15_000;
const PROBE_WITHIN_MS = 5_000;
const RETRY_MS = 500;

/** A connection that listens. */
interface Line {
  readonly broken: Promise<void>;
}

/** `task:seq:writer`, of which a task's id may hold colons itself. */
const PAYLOAD = /^(.*):(\d+):([^:]*)$/s;

/**
 * Hears what other processes have committed, on a connection of its own, which it makes anew whenever it breaks.
 * What was said meanwhile is lost: whoever relies on it is told with `missed`, once it listens again.
 */
export class WakeUpListener {
  readonly #connection: PostgresConnection;
  readonly #logger: Logger;
  readonly #writer: string;
  readonly #heard: (taskId: string, lastSeq: number) => void;
  readonly #missed: () => void;
  readonly #stop = new AbortController();
  #client: Client | undefined;

  constructor(deps: {
    readonly connection: PostgresConnection;
    readonly logger: Logger;
    /** Whose commits are not told: they are this process's own. */
    readonly writer: string;
    readonly heard: (taskId: string, lastSeq: number) => void;
    readonly missed: () => void;
  }) {
    this.#connection = deps.connection;
    this.#logger = deps.logger;
    this.#writer = deps.writer;
    this.#heard = deps.heard;
    this.#missed = deps.missed;
  }

  /** Resolves once it listens; from then on it does, until it is closed. */
  async open(): Promise<void> {
    const line = await persist(() => this.#listen(), {
      deadline: deadlineIn(this.#connection.timeoutMs),
      place: this.#connection.place,
    });
    void this.#keep(line);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    if (this.#client !== undefined) await endQuietly(this.#client);
  }

  async #keep(first: Line): Promise<void> {
    for (let line: Line | undefined = first; line !== undefined; ) {
      await line.broken;
      if (this.#stop.signal.aborted) return;
      this.#logger.warn({ database: this.#connection.place }, "wake-ups from other processes are not heard");
      line = await this.#listenAgain();
      if (line === undefined) return;
      this.#logger.info(
        { database: this.#connection.place },
        "wake-ups from other processes are heard again",
      );
      this.#missed();
    }
  }

  /** Undefined when it is closed meanwhile. */
  async #listenAgain(): Promise<Line | undefined> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        return await this.#listen();
      } catch {
        await pause(RETRY_MS * (0.5 + Math.random()), undefined, { ref: false, signal }).catch(
          () => undefined,
        );
      }
    }
    return undefined;
  }

  async #listen(): Promise<Line> {
    const client = this.#connection.client();
    const { promise: broken, resolve } = Promise.withResolvers<void>();
    client.on("error", () => resolve());
    client.on("end", () => resolve());
    client.on("notification", ({ payload = "" }) => this.#tell(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      if (this.#stop.signal.aborted) throw new StoreClosedError();
    } catch (error) {
      await endQuietly(client);
      throw error;
    }
    this.#client = client;
    const probing = setInterval(() => void probe(client).catch(() => endQuietly(client)), PROBE_EVERY_MS);
    probing.unref();
    void broken.then(() => {
      clearInterval(probing);
      return endQuietly(client);
    });
    return { broken };
  }

  #tell(payload: string): void {
    const [, taskId, lastSeq, writer] = PAYLOAD.exec(payload) ?? [];
    if (taskId === undefined || writer === this.#writer) return;
    this.#heard(fromColumnText(taskId), Number(lastSeq));
  }
}

async function probe(client: Client): Promise<void> {
  const query: QueryConfig & { query_timeout: number } = { text: "select", query_timeout: PROBE_WITHIN_MS };
  await client.query(query);
}
