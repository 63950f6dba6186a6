import type { Logger, LspTested, Sandbox, Trust } from "@cleveragents/application";
import {
  boundServers,
  type LspBinding,
  LspBindingError,
  type LspServer,
  servedAs,
} from "@cleveragents/domain";
import type { ServerStarter } from "../process/server-process.ts";
import { LanguageServer, type LanguageServerState, type LspSession } from "./language-server.ts";
import { lspFailure } from "./lsp-failure.ts";
import { languagesIn, walkFiles } from "./project-walk.ts";
import { tryServer } from "./try-server.ts";
import { workspaceFolder } from "./workspace-folder.ts";

export interface LspRuntimeDeps {
  readonly starter: ServerStarter;
  readonly trust: Trust;
  /** Those that are registered, by name. */
  readonly servers: () => Promise<readonly LspServer[]>;
  /** Of the product, which servers are told. */
  readonly version: string;
  readonly logger?: Logger | undefined;
  /** How long a server's diagnostics count as all when no more come. */
  readonly settleMs?: number | undefined;
  readonly backOffMs?: number | undefined;
}

/** Where something is asked, and for whom. */
export interface LspPlace {
  readonly planId: string;
  readonly sandbox: Pick<Sandbox, "root" | "projectRoot">;
  readonly signal: AbortSignal;
}

interface Kept {
  readonly life: LanguageServer;
  readonly plans: Set<string>;
}

/** How a binding has come out. */
export interface Activation {
  readonly servers: readonly LspServer[];
  /** Those that could not be started, with what became of it. */
  readonly failed: readonly { readonly server: string; readonly reason: string; readonly message: string }[];
}

const SETTLE_MS = 300;

/** The language servers of this process: one for each command and folder, shared by all who ask there. */
export class LspRuntime {
  readonly #deps: LspRuntimeDeps;
  readonly #kept = new Map<string, Kept>();
  #closed = false;

  constructor(deps: LspRuntimeDeps) {
    this.#deps = deps;
  }

  get settleMs(): number {
    return this.#deps.settleMs ?? SETTLE_MS;
  }

  async registered(): Promise<readonly LspServer[]> {
    return await this.#deps.servers();
  }

  /** Runs work on the server of the folder that the file belongs to. Throws what `LanguageServer.use` throws. */
  async use<T>(
    server: LspServer,
    file: string,
    { planId, sandbox, signal }: LspPlace,
    work: (session: LspSession) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw lspFailure("LSP_NOT_STARTED", "the agent is about to end");
    const folder = await workspaceFolder(sandbox.root, server, file);
    const key = JSON.stringify([server, sandbox.root, folder]);
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      const { starter, trust, version, logger, backOffMs } = this.#deps;
      const deps = { server, sandbox, folder, starter, trust, version, logger, backOffMs };
      kept = { life: new LanguageServer(deps), plans: new Set() };
      this.#kept.set(key, kept);
    }
    kept.plans.add(planId);
    return await kept.life.use(signal, work);
  }

  /**
   * Starts what is bound, so that it is there when it is asked. One that cannot be started is told of, and no reason not
   * to go on. Throws `ToolError` LSP_NO_SERVER for what is bound by name and not registered.
   */
  async activate(binding: LspBinding, place: LspPlace): Promise<Activation> {
    const found = binding.auto ? await languagesIn(place.sandbox.root) : [];
    let servers: readonly LspServer[];
    try {
      servers = boundServers(binding, await this.registered(), found);
    } catch (error) {
      if (!(error instanceof LspBindingError)) throw error;
      throw lspFailure("LSP_NO_SERVER", `${error.message}; add one: agents lsp add --config FILE`);
    }
    const outcomes = await Promise.all(
      servers.map(async (server) => {
        try {
          await this.use(server, await anyFileOf(server, place.sandbox.root), place, async () => undefined);
          return [];
        } catch (error) {
          const { reason = "LSP_NOT_STARTED", message } = error as { reason?: string; message: string };
          return [{ server: server.name, reason, message }];
        }
      }),
    );
    return { servers, failed: outcomes.flat() };
  }

  /** See `CodeIntelligence.test`. */
  async test(
    server: LspServer,
    sandbox: LspPlace["sandbox"] | undefined,
    signal: AbortSignal,
  ): Promise<LspTested> {
    const { starter, trust, version, logger } = this.#deps;
    const file = sandbox === undefined ? "" : await anyFileOf(server, sandbox.root);
    return await tryServer(
      { starter, trust, version, logger, settleMs: this.settleMs },
      server,
      sandbox,
      file,
      signal,
    );
  }

  /** What there is of servers, for whoever looks after them. */
  states(): readonly { readonly name: string; readonly state: LanguageServerState }[] {
    return [...this.#kept.values()].map(({ life }) => ({ name: life.name, state: life.state }));
  }

  /** Stops what was started for a plan. */
  async rest(planId: string): Promise<void> {
    const concerned = [...this.#kept].filter(([, { plans }]) => plans.delete(planId));
    await Promise.all(
      concerned.map(async ([key, { life, plans }]) => {
        if (plans.size > 0) return;
        this.#kept.delete(key);
        await life.stop();
      }),
    );
  }

  /** Stops everything; nothing is started any more. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map(({ life }) => life.stop()));
  }
}

async function anyFileOf(server: LspServer, root: string): Promise<string> {
  for await (const file of walkFiles(root, "", 20_000)) if (servedAs(server, file) !== undefined) return file;
  return "";
}
