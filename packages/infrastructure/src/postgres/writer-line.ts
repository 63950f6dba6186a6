import type { Clock } from "@cleveragents/application";
import type { Client, QueryConfig } from "pg";
import type { CommandText } from "../schema/command-text.ts";
import { type ServerOutcome, toServerCommand } from "./commit-command.ts";
import { endQuietly } from "./end-quietly.ts";
import { failureOf } from "./failure.ts";
import { persist } from "./patience.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

const COMMIT = "select commit_group_1($1, $2, $3, $4) as outcomes";

/**
 * The connection on which groups are committed, made anew whenever it breaks. A group whose answer did not arrive is
 * sent again under the same number: the server carries it out, or says what it came to the first time.
 */
export class WriterLine {
  /** Unique among all processes on the database, ever. */
  readonly writer: string;
  readonly #connection: PostgresConnection;
  readonly #clock: Clock;
  #client: Client | undefined;
  #number = 0;

  constructor(deps: {
    readonly writer: string;
    readonly connection: PostgresConnection;
    readonly clock: Clock;
  }) {
    this.writer = deps.writer;
    this.#connection = deps.connection;
    this.#clock = deps.clock;
  }

  /** Outcomes of the commands, in their order, durable; throws if the whole group was lost, or may have been. */
  async carryOut(commands: readonly CommandText[], deadline: number): Promise<readonly ServerOutcome[]> {
    this.#number += 1;
    const values = [
      this.writer,
      this.#number,
      this.#clock.now(),
      JSON.stringify(commands.map(toServerCommand)),
    ];
    return persist(
      async ({ withinMs }) => {
        this.#client ??= await this.#connect();
        const client = this.#client;
        const query: QueryConfig & { query_timeout: number } = {
          name: "commit",
          text: COMMIT,
          values,
          query_timeout: withinMs,
        };
        try {
          const { rows } = await client.query<{ outcomes: string }>(query);
          return JSON.parse(rows[0]?.outcomes ?? "[]") as readonly ServerOutcome[];
        } catch (error) {
          if (failureOf(error) === "lost") this.#drop(client);
          throw error;
        }
      },
      { deadline, place: this.#connection.place },
    );
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await endQuietly(client);
  }

  async #connect(): Promise<Client> {
    const client = this.#connection.client();
    client.on("error", () => this.#drop(client));
    await client.connect();
    return client;
  }

  #drop(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    void endQuietly(client);
  }
}
