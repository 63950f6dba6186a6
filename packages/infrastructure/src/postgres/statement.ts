import type { PostgresConnection } from "./postgres-connection.ts";

/** A statement that each connection parses once. */
export class Statement<Row> {
  readonly #connection: PostgresConnection;
  readonly #text: { readonly text: string; readonly name: string };

  /** No two statements of a connection have the same name. */
  constructor(connection: PostgresConnection, name: string, text: string) {
    this.#connection = connection;
    this.#text = { text, name };
  }

  async all(...parameters: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#connection.run<Row>(this.#text, parameters)).rows;
  }

  async get(...parameters: readonly unknown[]): Promise<Row | undefined> {
    return (await this.all(...parameters))[0];
  }
}
