import { setTimeout as sleep } from "node:timers/promises";
import { backOffMs, canBecome, type McpServer, type McpState } from "@cleveragents/domain";
import { type Connection, type ConnectRequest, connect } from "./connection.ts";
import { type ListedTools, listTools } from "./list-tools.ts";
import { LoosePage, LooseResult } from "./loose-schemas.ts";
import { McpError } from "./mcp-error.ts";
import { isLostSession, mcpErrorFrom, wantedScope } from "./sdk-error.ts";

export interface McpClientConfig
  extends Omit<ConnectRequest, "onListChanged" | "onTrouble" | "knownLegacy" | "signal" | "onAsked"> {
  readonly server: McpServer;
  /** Seconds without a call until the server is stopped; 0 is never. What its document says when absent. */
  readonly autoStopIdleSecs?: number;
  /** Asked before each start. Throws where nobody has consented to it. */
  readonly permit?: () => Promise<void>;
  readonly knownLegacy?: boolean;
  readonly onTrouble?: (error: Error) => void;
  /** What a user has agreed to does not suffice; the call has failed for that. */
  readonly onScopeWanted?: (scope: string) => void;
  readonly onState?: (from: McpState, to: McpState) => void;
  /** The tools may be others than before: the server has said so, has just started, or was not asked for long. */
  readonly onToolsChanged?: () => void;
}

/** Who answers what a server asks in the middle of a call. What is thrown the server is told, with its `code`. */
export interface McpPeer {
  elicit(params: unknown, isModern: boolean): Promise<object>;
  sample(params: unknown, isModern: boolean): Promise<object>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly peer?: McpPeer;
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
}

const DEBOUNCE_MS = 300;
/** Changes that a server does not tell of, or that got lost, are found after this. */
const ASK_AGAIN_MS = 10 * 60_000;
const DRAIN_MS = 5000;

/**
 * One server: started by the first call, stopped when it has had nothing to do for a while, started anew after it died,
 * later each time. Calls that come together start it once; one that is lost in its death is not repeated, since nobody
 * knows what it did.
 */
export class McpClient implements AsyncDisposable {
  readonly #config: McpClientConfig;
  #state: McpState = "STOPPED";
  #connection: Connection | undefined;
  #starting: Promise<Connection> | undefined;
  #stopping: Promise<void> | undefined;
  #inFlight = 0;
  #drained: (() => void) | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #changed: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #notBefore = 0;
  #askedAt = 0;
  /** Connections that are of no use any more and not gone yet. */
  readonly #ending = new Set<Promise<void>>();
  readonly #users = new WeakMap<Connection, number>();
  /** One for each call that is made. */
  readonly #peers: (McpPeer | undefined)[] = [];
  readonly #closing = new AbortController();
  /** How often it was started. */
  starts = 0;

  constructor(config: McpClientConfig) {
    this.#config = config;
  }

  get state(): McpState {
    return this.#state;
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  async listTools(options: CallOptions = {}): Promise<ListedTools> {
    this.#askedAt = performance.now();
    return await this.#use(options, ({ client }, settings) =>
      listTools(async (cursor) => {
        const params = cursor === undefined ? {} : { cursor };
        return await client.request({ method: "tools/list", params }, LoosePage, settings);
      }),
    );
  }

  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<LooseResult> {
    const { onProgress, peer } = options;
    const result = await this.#use(options, async ({ client }, settings) => {
      const request = { method: "tools/call", params: { name, arguments: args } } as const;
      this.#peers.push(peer);
      try {
        return await client.request(request, LooseResult, {
          ...settings,
          resetTimeoutOnProgress: true,
          maxTotalTimeout: this.#config.server.timeouts.total * 1000,
          // Asked for in any case: who tells of progress is given more time.
          onprogress: (progress) => onProgress?.(progress as Parameters<NonNullable<typeof onProgress>>[0]),
        });
      } finally {
        this.#peers.splice(this.#peers.indexOf(peer), 1);
      }
    });
    this.#failures = 0;
    if (performance.now() - this.#askedAt > ASK_AGAIN_MS) this.#tellChanged();
    return result;
  }

  /** Stops it; the next call starts it again. Calls in flight are waited for, for a time. */
  async stop(drainMs = DRAIN_MS): Promise<void> {
    await this.#starting?.catch(() => undefined);
    if (this.#state === "ERROR") this.#become("STOPPED");
    if (this.#state === "RUNNING") this.#stopping ??= this.#stop(drainMs);
    await Promise.all([this.#stopping, ...this.#ending]);
  }

  /** Stops it for good. */
  async close(drainMs?: number): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#changed);
    await this.stop(drainMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #use<T>(
    { signal }: CallOptions,
    work: (connection: Connection, settings: { timeout: number; signal?: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    this.#inFlight += 1;
    clearTimeout(this.#idle);
    try {
      const settings = {
        timeout: this.#config.server.timeouts.call * 1000,
        ...(signal === undefined ? {} : { signal }),
      };
      const connection = await this.#connectionFor(signal);
      const { hasSession } = connection;
      try {
        return await this.#on(connection, work, settings);
      } catch (error) {
        const wasLost = hasSession && isLostSession(error) && signal?.aborted !== true;
        if (!wasLost) throw this.#errorFrom(error, connection, signal);
        // It was refused before it was looked at, so that it can be sent again; by whoever comes first for all.
        this.#lose(connection, 0);
        const again = await this.#connectionFor(signal);
        try {
          return await this.#on(again, work, settings);
        } catch (second) {
          throw this.#errorFrom(second, again, signal);
        }
      }
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) {
        this.#drained?.();
        this.#arm();
      }
    }
  }

  /** Counted for each connection: one that is of no use any more is closed when nobody waits for it. */
  async #on<T, S>(
    connection: Connection,
    work: (connection: Connection, settings: S) => Promise<T>,
    settings: S,
  ): Promise<T> {
    const users = (): number => this.#users.get(connection) ?? 0;
    this.#users.set(connection, users() + 1);
    try {
      return await work(connection, settings);
    } finally {
      this.#users.set(connection, users() - 1);
      if (users() === 0 && connection !== this.#connection && this.#state !== "STOPPING")
        this.#end(connection);
    }
  }

  #errorFrom(error: unknown, connection: Connection, signal: AbortSignal | undefined): McpError {
    const scope = wantedScope(error);
    if (scope !== undefined) this.#config.onScopeWanted?.(scope);
    const found = mcpErrorFrom(error, {
      server: this.#config.server.name,
      cancelled: signal?.aborted === true,
      fault: connection.fault(),
      stderr: connection.stderr(),
    });
    // A line over HTTP does not know that its other end is dead.
    if (found.reason === "MCP_CONNECTION" && connection.level === undefined) this.#lose(connection);
    return found;
  }

  async #connectionFor(signal: AbortSignal | undefined): Promise<Connection> {
    const cancelled = () => new McpError("CANCELLED", this.#config.server.name, "the call was cancelled");
    if (signal?.aborted) throw cancelled();
    const ready = this.#ready();
    ready.catch(() => undefined); // who was cancelled does not hear of it
    if (signal === undefined) return await ready;
    let stop: (() => void) | undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      stop = () => reject(cancelled());
      signal.addEventListener("abort", stop, { once: true });
    });
    try {
      return await Promise.race([ready, aborted]);
    } finally {
      signal.removeEventListener("abort", stop as () => void);
    }
  }

  async #ready(): Promise<Connection> {
    await this.#stopping;
    this.#assertOpen();
    if (this.#state === "RUNNING" && this.#connection !== undefined) return this.#connection;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return await this.#starting;
  }

  async #start(): Promise<Connection> {
    const { server, permit, onTrouble = () => undefined, knownLegacy = false } = this.#config;
    const wait = this.#notBefore - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    this.#assertOpen();
    await permit?.();
    this.#become("STARTING");
    this.starts += 1;
    const connection = await connect({
      ...this.#config,
      knownLegacy,
      onTrouble,
      signal: this.#closing.signal,
      onListChanged: () => this.#tellChanged(),
      onAsked: (what, params, isModern) => this.#answer(what, params, isModern),
    }).catch((error: unknown) => {
      this.#fail();
      throw error instanceof McpError
        ? error
        : mcpErrorFrom(error, { server: server.name, cancelled: false, fault: undefined, stderr: undefined });
    });
    const { onclose } = connection.client;
    connection.client.onclose = () => {
      onclose?.();
      this.#lose(connection);
    };
    this.#connection = connection;
    this.#become("RUNNING");
    this.#arm();
    this.#tellChanged(0);
    return connection;
  }

  /** A server does not say which call it asks something for, so that it is heard while there is one alone. */
  async #answer(what: keyof McpPeer, params: unknown, isModern: boolean): Promise<object> {
    const [peer] = this.#peers;
    const why =
      this.#peers.length > 1
        ? "several calls are being made, and nobody can say which of them asks"
        : "nobody can answer that here";
    if (peer === undefined || this.#peers.length > 1) throw Object.assign(new Error(why), { code: -32603 });
    return await peer[what](params, isModern);
  }

  /** The connection is of no use any more. */
  #lose(connection: Connection, failures = 1): void {
    if (this.#connection !== connection || this.#state !== "RUNNING") return;
    this.#connection = undefined;
    this.#fail(failures);
    // Others may still be told what is wrong with it.
    if (failures > 0 || (this.#users.get(connection) ?? 0) === 0) this.#end(connection);
  }

  #end(connection: Connection): void {
    const ending = connection.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  #fail(failures = 1): void {
    this.#failures += failures;
    this.#notBefore = failures === 0 ? 0 : performance.now() + backOffMs(this.#failures);
    clearTimeout(this.#idle);
    this.#become("ERROR");
  }

  async #stop(drainMs: number): Promise<void> {
    const connection = this.#connection as Connection; // it is RUNNING
    clearTimeout(this.#idle);
    clearTimeout(this.#changed);
    this.#become("STOPPING");
    if (this.#inFlight > 0 && drainMs > 0) await this.#drain(drainMs);
    this.#connection = undefined;
    try {
      await connection.close();
      this.#become("STOPPED");
    } finally {
      this.#stopping = undefined;
    }
  }

  async #drain(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#drained = undefined;
  }

  #arm(): void {
    clearTimeout(this.#idle);
    const seconds = this.#config.autoStopIdleSecs ?? this.#config.server.idle;
    if (this.#inFlight > 0 || this.#state !== "RUNNING" || seconds === 0) return;
    this.#idle = setTimeout(() => void this.stop(), seconds * 1000);
    this.#idle.unref();
  }

  #tellChanged(ms = DEBOUNCE_MS): void {
    const { onToolsChanged } = this.#config;
    if (onToolsChanged === undefined || this.#closing.signal.aborted) return;
    clearTimeout(this.#changed);
    this.#changed = setTimeout(onToolsChanged, ms);
    this.#changed.unref();
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted)
      throw new McpError("MCP_STOPPED", this.#config.server.name, "it is not used any more");
  }

  #become(state: McpState): void {
    const from = this.#state;
    if (!canBecome(from, state)) throw new Error(`an MCP server cannot go from ${from} to ${state}`);
    this.#state = state;
    this.#config.onState?.(from, state);
  }
}
