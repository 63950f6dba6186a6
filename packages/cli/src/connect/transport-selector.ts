import type { ClientTransport } from "@cleveragents/protocol";
import { CliError, usageError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import type { ConnectRequest, TransportName } from "./connect-request.ts";
import { endpointOf } from "./endpoint.ts";
import { findServerCommand, type ServerCommandDeps } from "./server-command.ts";

export interface TransportSelectorDeps extends ServerCommandDeps {
  readonly cwd: string;
  readonly home: string;
  /** Where the platform has one; data directories of other users are passed over. */
  readonly uid?: number | undefined;
  /** Called before the first request over HTTP. */
  readonly beforeHttp?: (() => Promise<void>) | undefined;
}

export interface LocalAgent {
  readonly dataDir: string;
  readonly running:
    | { readonly pid: number; readonly version: string; readonly url: string | undefined }
    | undefined;
}

type Choice = Pick<ConnectRequest, "server" | "transport">;

/** How long a started owner may take until it answers. */
const START_TIMEOUT_MS = 30_000;
/** Our servers send a comment every 15 s; a stream that is silent for longer is lost. */
const IDLE_TIMEOUT_MS = 60_000;

/** Finds the way to an agent: HTTP where a server is named, else the local owner's socket, or a spawned agent. */
export class TransportSelector {
  readonly #deps: TransportSelectorDeps;
  constructor(deps: TransportSelectorDeps) {
    this.#deps = deps;
  }

  /** A server URL means HTTP, nothing means the socket. Throws a usage error where both contradict each other. */
  select({ server, transport }: Choice): TransportName {
    if (server === undefined) return transport ?? "socket";
    if (transport !== undefined && transport !== "http") {
      throw usageError(`--transport ${transport} speaks to a local agent, but --server names another`);
    }
    return "http";
  }

  async connect(request: ConnectRequest): Promise<ClientTransport> {
    switch (this.select(request)) {
      case "http":
        return this.#http(request);
      case "stdio":
        return this.#stdio(request);
      case "socket":
        return this.#socket(request);
    }
  }

  async #http({ server, token, dataDir }: ConnectRequest): Promise<ClientTransport> {
    const { createHttpTransport } = await import("@cleveragents/transport-http/client");
    await this.#deps.beforeHttp?.();
    const url = server === undefined ? undefined : endpointOf(server);
    if (url !== undefined && token !== undefined) {
      return createHttpTransport({ url, token, idleTimeoutMs: IDLE_TIMEOUT_MS });
    }
    // The local owner's own address: its token is in the discovery file, readable by this user alone.
    const { readDiscovery } = await import("@cleveragents/transport-stdio/client");
    const found = await readDiscovery(await this.#dataDir(dataDir));
    const own = found?.http === undefined ? undefined : endpointOf(found.http.url);
    const target = url ?? own;
    if (target === undefined) {
      throw new CliError("NOT_CONNECTED", "no local agent serves HTTP", {
        hint: "start one with npm start, or name a server with --server URL",
        exitCode: EXIT.UNREACHABLE,
      });
    }
    const isOwn = own !== undefined && own.href === target.href;
    return createHttpTransport({
      url: target,
      token: isOwn ? found?.token : undefined,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
    });
  }

  async #stdio({ dataDir, onAgentLog }: ConnectRequest): Promise<ClientTransport> {
    const { env, cwd } = this.#deps;
    const dir = await this.#dataDir(dataDir);
    const { createReconnectingTransport, spawnAgent } = await import("@cleveragents/transport-stdio/client");
    const { command, args } = findServerCommand(this.#deps);
    const spawn = () =>
      spawnAgent({ command, args: [...args, "stdio", "--data-dir", dir], env, cwd, onStderr: onAgentLog });
    return createReconnectingTransport(spawn, await spawn());
  }

  async #socket({ dataDir, timeoutMs }: ConnectRequest): Promise<ClientTransport> {
    const dir = await this.#dataDir(dataDir);
    const { connectOwner } = await import("@cleveragents/transport-stdio/client");
    // A program that cannot be started will not be by trying on, as the connection would.
    const hopeless = Promise.withResolvers<never>();
    const start = async () => {
      const { startOwner } = await import("./start-owner.ts");
      return await startOwner(findServerCommand(this.#deps), dir, this.#deps.env, hopeless.reject);
    };
    const startOwner = () =>
      start().catch((error: unknown) => {
        hopeless.reject(error);
        return undefined;
      });
    return Promise.race([
      connectOwner({ dataDir: dir, timeoutMs: timeoutMs ?? START_TIMEOUT_MS, startOwner }),
      hopeless.promise,
    ]);
  }

  /** The agent of a data directory, and who runs it; nothing is started. */
  async localAgent(given: string | undefined): Promise<LocalAgent> {
    const dataDir = await this.#dataDir(given);
    const { connectSocket, readDiscovery } = await import("@cleveragents/transport-stdio/client");
    const found = await readDiscovery(dataDir);
    if (found === undefined) return { dataDir, running: undefined };
    try {
      // A killed owner leaves its file behind.
      await (await connectSocket(found.socket))[Symbol.asyncDispose]();
    } catch {
      return { dataDir, running: undefined };
    }
    const { pid, product_version: version, http } = found;
    return { dataDir, running: { pid, version, url: http?.url } };
  }

  async #dataDir(given: string | undefined): Promise<string> {
    const { cwd, home, env, uid } = this.#deps;
    if (given !== undefined) {
      const { resolve } = await import("node:path");
      return resolve(cwd, given);
    }
    const { findDataDir } = await import("@cleveragents/transport-stdio/client");
    return findDataDir({ cwd, home, env, uid });
  }
}
