import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { lastWords } from "../process/last-words.ts";
import type { SecretRedactor } from "../process/secret-redactor.ts";
import type { ServerProcess } from "../process/server-process.ts";
import { LineReader } from "./line-reader.ts";
import { messagesInLine } from "./messages-in-line.ts";
import { StderrTail } from "./stderr-tail.ts";

/** How long what an ended server has written is waited for. */
const LAST_READ_MS = 1000;

export interface ManagedStdioTransportDeps {
  open(signal: AbortSignal): Promise<ServerProcess>;
  readonly maxMessageBytes: number;
  readonly redactor: SecretRedactor;
  /** Between asking a server to end and making it. */
  readonly graceMs?: number;
}

/**
 * A server as a child process: its whole tree ends with the connection, stderr is drained, what is no JSON on stdout is
 * skipped and counted, and a message beyond the limit ends the connection.
 */
export class ManagedStdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Lines on stdout that were no messages. */
  skipped = 0;
  readonly #deps: ManagedStdioTransportDeps;
  readonly #tail: StderrTail;
  readonly #aborted = new AbortController();
  #process: ServerProcess | undefined;
  #opening: Promise<ServerProcess> | undefined;
  #closing: Promise<void> | undefined;
  #fault: string | undefined;
  readonly #waiting: JSONRPCMessage[] = [];
  #isDelivering = false;
  #delivered: Promise<void> | undefined;

  constructor(deps: ManagedStdioTransportDeps) {
    this.#deps = deps;
    this.#tail = new StderrTail(deps.redactor);
  }

  /** By this and `stderr` the SDK knows that silence on the line is an old server and not an outage. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get stderr(): string {
    return this.#tail.text();
  }

  get level(): ServerProcess["level"] | undefined {
    return this.#process?.level;
  }

  /** Processes of it that are still there. */
  async left(): Promise<number> {
    return (await this.#process?.count()) ?? 0;
  }

  /** Why the connection is over, where it is not our doing. */
  get fault(): string | undefined {
    return this.#fault;
  }

  async start(): Promise<void> {
    this.#opening = this.#deps.open(this.#aborted.signal);
    const process = await this.#opening;
    this.#process = process;
    const reader = new LineReader(
      this.#deps.maxMessageBytes,
      (line) => this.#take(line),
      () => this.#lose(`it sent a message of more than ${this.#deps.maxMessageBytes} bytes`),
    );
    process.stdout.on("data", (chunk: Buffer) => reader.push(chunk));
    process.stderr.on("data", (chunk: Buffer) => this.#tail.push(chunk));
    const read = new Promise<void>((resolve) => {
      for (const event of ["end", "close"]) process.stdout.once(event, () => resolve());
    });
    void process.ended.then(async ({ exitCode, signal, failure }) => {
      // What it has said last may still be on its way, and somebody else may hold the other end.
      await Promise.race([read, delay(LAST_READ_MS, undefined, { ref: false })]);
      await this.#delivered;
      this.#tail.end();
      const how = signal === null ? `it ended with exit code ${exitCode}` : `it was ended by ${signal}`;
      const cut = reader.pending > 0 ? ", in the middle of a message" : "";
      const words = lastWords(this.#tail.text());
      this.#fault ??= failure?.message ?? `${how}${cut}${words === "" ? "" : `: ${words}`}`;
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    if (stdin === undefined || stdin.destroyed || stdin.writableEnded)
      throw Object.assign(new Error("not connected"), { code: "NOT_CONNECTED" });
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#aborted.abort();
    const process = await this.#opening?.catch(() => undefined);
    await process?.stop(this.#deps.graceMs);
  }

  #lose(fault: string): void {
    this.#fault ??= fault;
    this.onerror?.(new Error(fault));
    void this.close();
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    const messages = messagesInLine(line);
    if (messages === undefined) {
      this.skipped += 1;
      return;
    }
    this.#waiting.push(...messages);
    if (!this.#isDelivering) this.#delivered = this.#deliver();
  }

  /**
   * One after the other: the SDK hears of a response before a notification that came in front of it, and would throw
   * away the last progress of a call. Meanwhile nothing more is read.
   */
  async #deliver(): Promise<void> {
    const stdout = this.#process?.stdout;
    this.#isDelivering = true;
    for (let message = this.#waiting.shift(); message !== undefined; message = this.#waiting.shift()) {
      try {
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
      if ("id" in message) continue;
      stdout?.pause();
      await turn();
    }
    this.#isDelivering = false;
    stdout?.resume();
  }
}
