import type { JsonValue, McpServer } from "@cleveragents/domain";
import { SecretRedactor, secretsOf } from "../process/secret-redactor.ts";
import { secretVariables } from "./http-transport.ts";

const SHORTEST = 8;

/** Keeps what a server was trusted with out of what it says to others. */
export class ServerSecrets {
  readonly #secrets: readonly string[];
  readonly #more: () => readonly string[];

  /** `more`: those that come up while it is used. */
  constructor(
    server: McpServer,
    env: Readonly<Record<string, string | undefined>>,
    more: () => readonly string[] = () => [],
  ) {
    this.#more = more;
    const handedOn = secretVariables(server).flatMap((name) => env[name] ?? []);
    const found = new Set([
      ...handedOn.filter((value) => value.length >= SHORTEST),
      ...secretsOf(server.env),
    ]);
    this.#secrets = [...found].sort((a, b) => b.length - a.length);
  }

  /** For a text that comes in pieces. */
  redactor(): SecretRedactor {
    return new SecretRedactor([...this.#more(), ...this.#secrets]);
  }

  /** A value without them, in all of its texts. */
  without<T>(value: T): T {
    return this.#secrets.length + this.#more().length === 0 ? value : (this.#walk(value as JsonValue) as T);
  }

  #walk(value: JsonValue): JsonValue {
    if (typeof value === "string") {
      const redactor = this.redactor();
      return redactor.push(value) + redactor.end();
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#walk(item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#walk(item)]));
  }
}
