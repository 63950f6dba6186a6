import { realpath } from "node:fs/promises";
import { type Logger, type Sandbox, ToolError, type Trust } from "@cleveragents/application";
import type { LspServer } from "@cleveragents/domain";
import type { ServerStarter } from "../process/server-process.ts";
import { ServerPaths } from "./file-uri.ts";
import { LanguageClient } from "./language-client.ts";
import { loadProtocol } from "./load-protocol.ts";
import { executableOf } from "./lsp-executable.ts";
import { lspFailure } from "./lsp-failure.ts";
import { OpenDocuments } from "./open-documents.ts";

export type LanguageServerState = "stopped" | "starting" | "running" | "stopping" | "error";

/** A running server and what it knows of the files. */
export interface LspSession {
  readonly client: LanguageClient;
  readonly documents: OpenDocuments;
}

export interface LanguageServerDeps {
  readonly server: LspServer;
  readonly sandbox: Pick<Sandbox, "root" | "projectRoot">;
  /** See `workspaceFolder`. */
  readonly folder: string;
  readonly starter: ServerStarter;
  readonly trust: Trust;
  readonly version: string;
  readonly logger?: Logger | undefined;
  /** Until it is started again after its first crash; doubled with each. */
  readonly backOffMs?: number | undefined;
}

const BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;
/** So many crashes in so long a time, and it is not started any more. */
const CRASHES = 5;
const CRASHES_MS = 180_000;
/** How long those who are being answered may take when it is to stop. */
const DRAIN_MS = 2000;

/**
 * The life of one server in one folder: started when somebody asks for something, stopped when nobody has for a while,
 * started again after a crash, with the same documents open, until it has crashed too often.
 */
export class LanguageServer {
  readonly #deps: LanguageServerDeps;
  #state: LanguageServerState = "stopped";
  #session: Promise<LspSession> | undefined;
  #stopping: Promise<void> | undefined;
  #starting = new AbortController();
  #reopen: readonly string[] = [];
  #crashes: { readonly at: number; readonly error: ToolError }[] = [];
  #users = 0;
  #drained: (() => void) | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: LanguageServerDeps) {
    this.#deps = deps;
  }

  get state(): LanguageServerState {
    return this.#state;
  }

  get name(): string {
    return this.#deps.server.name;
  }

  /**
   * Runs work on the server, started where it is not running. Throws `ToolError` LSP_NOT_STARTED, LSP_CRASHED,
   * LSP_TIMEOUT, LSP_DISABLED, CANCELLED, and what trust says.
   */
  async use<T>(signal: AbortSignal, work: (session: LspSession) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#users += 1;
    try {
      const session = await orCancelled(this.#running(signal), signal);
      return await work(session);
    } finally {
      this.#users -= 1;
      if (this.#users === 0) {
        this.#drained?.();
        this.#waitIdly();
      }
    }
  }

  /** Settles when nothing of it is left. It can be used again. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = undefined;
    });
    await this.#stopping;
  }

  async #running(signal: AbortSignal): Promise<LspSession> {
    await this.#stopping;
    if (this.#session === undefined) {
      await this.#recovered(signal);
      this.#session ??= this.#start();
    }
    return await this.#session;
  }

  /** Waits as long as a server that has crashed is left alone. */
  async #recovered(signal: AbortSignal): Promise<void> {
    const { backOffMs = BACK_OFF_MS } = this.#deps;
    const now = performance.now();
    this.#crashes = this.#crashes.filter(({ at }) => now - at < CRASHES_MS);
    const last = this.#crashes.at(-1);
    if (last === undefined) return;
    if (this.#crashes.length >= CRASHES)
      throw lspFailure(
        "LSP_DISABLED",
        `the language server ${this.name} is disabled: it has failed ${this.#crashes.length} times in a row; the last time: ${last.error.message}`,
        { server: this.name, crashes: this.#crashes.length },
        { cause: last.error },
      );
    const until = last.at + Math.min(LONGEST_BACK_OFF_MS, backOffMs * 2 ** (this.#crashes.length - 1));
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.max(0, until - now));
    await orCancelled(promise, signal).finally(() => clearTimeout(timer));
    await this.#stopping;
  }

  #start(): Promise<LspSession> {
    this.#starting = new AbortController();
    this.#state = "starting";
    const starting = this.#begin(this.#starting.signal);
    starting.catch((error: unknown) => {
      if (this.#session === starting) this.#session = undefined;
      const failed = error instanceof ToolError && error.reason.startsWith("LSP_");
      if (failed) this.#crashed(error);
      else this.#state = "stopped";
    });
    return starting;
  }

  async #begin(signal: AbortSignal): Promise<LspSession> {
    const { server, sandbox, folder, starter, trust, version } = this.#deps;
    const { name, command, args, env } = server;
    await trust.demand(executableOf(server));
    const protocol = await loadProtocol();
    const root = await realpath(sandbox.root);
    const process = await starter
      .open({
        command: [command, ...args],
        root,
        projectRoot: sandbox.projectRoot,
        ...(folder === "" ? {} : { cwd: folder }),
        env,
        network: server.network,
        confined: true,
        signal,
      })
      .catch((cause: Error) => {
        if (signal.aborted) throw lspFailure("CANCELLED", `the start of ${name} was cancelled`);
        throw lspFailure(
          "LSP_NOT_STARTED",
          `the language server ${name} was not started: ${cause.message}`,
          { server: name },
          { cause },
        );
      });
    const paths = new ServerPaths(root, process.level === "none" ? root : sandbox.projectRoot);
    const client = new LanguageClient({ protocol, process, server, paths, folder, version });
    try {
      await client.initialize(signal);
      const session: LspSession = { client, documents: new OpenDocuments(client, sandbox) };
      await session.documents.begin();
      // Where one of them is gone meanwhile, nobody will ask about it.
      for (const file of this.#reopen) await session.documents.open(file).catch(onlyFiles);
      this.#reopen = [];
      if (client.gone !== undefined) throw client.gone;
      this.#state = "running";
      void client.ended.then(() => this.#ended(session));
      return session;
    } catch (error) {
      await client.stop();
      throw error;
    }
  }

  #ended({ client, documents }: LspSession): void {
    if (this.#state === "stopping" || this.#state === "stopped") return;
    this.#session = undefined;
    this.#reopen = documents.files;
    this.#crashed(client.gone as ToolError); // it says why, once it has ended
  }

  #crashed(error: ToolError): void {
    this.#state = "error";
    this.#crashes.push({ at: performance.now(), error });
    this.#deps.logger?.warn({ server: this.name, reason: error.reason }, "a language server has failed");
  }

  #waitIdly(): void {
    if (this.#state !== "running") return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#users === 0) void this.stop();
    }, this.#deps.server.idleTimeoutMs);
    this.#idle.unref();
  }

  async #stop(): Promise<void> {
    if (this.#session === undefined) return;
    if (this.#users > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        timer = setTimeout(resolve, DRAIN_MS);
      });
      this.#drained = undefined;
      clearTimeout(timer);
    }
    this.#state = "stopping";
    this.#starting.abort();
    const session = await this.#session?.catch(() => undefined);
    await session?.client.stop();
    this.#session = undefined;
    this.#reopen = [];
    this.#state = "stopped";
  }
}

function onlyFiles(error: unknown): void {
  if (!(error instanceof ToolError) || error.reason.startsWith("LSP_")) throw error;
}

/** Leaves at once when nobody wants it any more; what is awaited goes on for others. */
export async function orCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let aborted: (() => void) | undefined;
  const cancelled = new Promise<never>((_, reject) => {
    aborted = () => reject(lspFailure("CANCELLED", "it was cancelled"));
    if (signal.aborted) aborted();
    else signal.addEventListener("abort", aborted, { once: true });
  });
  try {
    return await Promise.race([work, cancelled]);
  } finally {
    if (aborted !== undefined) signal.removeEventListener("abort", aborted);
    work.catch(() => undefined);
  }
}
