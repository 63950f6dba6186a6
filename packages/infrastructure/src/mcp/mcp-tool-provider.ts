import {
  findMcpEntry,
  type McpDiscovered,
  type McpDiscovery,
  type McpLogin,
  type McpLoginBegun,
  type McpLoginEnd,
  type ToolContext,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
  type ToolResult,
  TrustRequiredError,
} from "@cleveragents/application";
import type { JsonObject, McpServer } from "@cleveragents/domain";
import type { CallPeer } from "./call-peer.ts";
import type { LooseResult } from "./loose-schemas.ts";
import { type CatalogTool, McpCatalog } from "./mcp-catalog.ts";
import { McpError } from "./mcp-error.ts";
import type { McpLogins } from "./mcp-logins.ts";
import type { McpPool, McpPoolDeps, PooledClient } from "./mcp-pool.ts";
import { PathTraversalError } from "./sandbox-path-rewriter.ts";

export interface McpToolProviderDeps extends Omit<McpPoolDeps, "onToolsChanged" | "logins"> {
  /** The file that keeps what comes of logins. */
  readonly credentials: string;
  /** Told when the tools of a server are others than before. */
  readonly onToolsChanged?: (server: string) => Promise<void> | void;
}

/** After this a look at the list has it read anew, behind it: another process may have registered something. */
const STALE_MS = 5000;

/**
 * The tools of the registered MCP servers. They are listed as they were found last; a server is started by the first
 * call of one of its tools, once it is trusted. What starts and speaks with servers is loaded then.
 */
export class McpToolProvider implements ToolProvider, McpDiscovery, McpLogin {
  readonly #deps: McpToolProviderDeps;
  readonly #catalog: McpCatalog;
  #pool: Promise<McpPool> | undefined;
  #logins: Promise<McpLogins> | undefined;
  #closed = false;

  constructor(deps: McpToolProviderDeps) {
    this.#deps = deps;
    this.#catalog = new McpCatalog(deps);
  }

  /** Before the first look. */
  async load(): Promise<void> {
    await this.#catalog.load();
  }

  /** At once what was just registered or taken away. */
  async refresh(): Promise<void> {
    await this.#catalog.load();
  }

  list(): readonly ToolDescriptor[] {
    if (!this.#closed && this.#catalog.age > STALE_MS)
      void this.#catalog.load().catch((error: unknown) => {
        this.#deps.logger.debug({ error: String(error) }, "the MCP servers could not be read anew");
      });
    return this.#catalog.list();
  }

  async call(name: string, args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const found = await this.#current(name);
    const { server, descriptor, tool } = found;
    if (context.signal.aborted) throw new ToolError("CANCELLED", `${name} was cancelled`);
    assertPossible(server, descriptor, context);
    const [pool, { CallPeer }] = await Promise.all([this.#pooled(), import("./call-peer.ts")]);
    const peer = new CallPeer(server, descriptor, context);
    try {
      const pooled = await pool.clientFor(server, context);
      const result = await callThrough(pooled, found, args, context, peer);
      if (peer.needed !== undefined) throw peer.needed;
      const { toolOutcome } = await import("./tool-outcome.ts");
      return toolOutcome(server.name, tool, result, (text) => context.onOutput?.(text, "stdout"));
    } catch (error) {
      throw peer.needed ?? toolErrorFrom(error, descriptor.name);
    }
  }

  async rest(planId: string): Promise<void> {
    const pool = await this.#pool;
    await pool?.rest(planId);
  }

  async discover(server: McpServer, signal: AbortSignal): Promise<McpDiscovered> {
    const [{ discover }, logins] = await Promise.all([import("./discover.ts"), this.#loggedIn()]);
    return await discover({ ...this.#deps, logins }, server, signal);
  }

  async begin(server: McpServer, redirectUri: string, signal: AbortSignal): Promise<McpLoginBegun> {
    return await (await this.#loggedIn()).begin(server, redirectUri, signal);
  }

  async finish(state: string, end: McpLoginEnd, signal: AbortSignal): Promise<{ readonly server: string }> {
    return await (await this.#loggedIn()).finish(state, end, signal);
  }

  async forget(server: string): Promise<boolean> {
    await (await this.#pool)?.forget(server);
    return await (await this.#loggedIn()).forget(server);
  }

  async changed(servers: readonly string[] = []): Promise<void> {
    await this.#catalog.load();
    for (const server of servers) await this.#deps.onToolsChanged?.(server);
  }

  /** Settles when nothing of any server is left. */
  async close(drainMs = 1000): Promise<void> {
    this.#closed = true;
    const pool = await this.#pool;
    await pool?.close(drainMs);
  }

  /** As it is registered now: what was taken back or changed a moment ago counts. */
  async #current(name: string): Promise<CatalogTool> {
    const known = this.#catalog.find(name);
    const entry = known && (await findMcpEntry(this.#deps.registry, known.server.name));
    if (known !== undefined && entry === undefined) await (await this.#pool)?.forget(known.server.name);
    if (known === undefined || entry === undefined || this.#catalog.age > STALE_MS)
      await this.#catalog.load();
    const found = this.#catalog.find(name);
    if (found === undefined) throw new ToolError("TOOL_UNKNOWN", `there is no tool ${name} any more`);
    return found;
  }

  #loggedIn(): Promise<McpLogins> {
    this.#logins ??= Promise.all([import("./mcp-logins.ts"), import("./credentials-file.ts")]).then(
      ([{ McpLogins }, { CredentialsFile }]) => {
        const { credentials, logger, trust, env } = this.#deps;
        return new McpLogins({ credentials: new CredentialsFile({ file: credentials, logger }), trust, env });
      },
    );
    return this.#logins;
  }

  async #pooled(): Promise<McpPool> {
    if (this.#closed) throw new ToolError("MCP_STOPPED", "the agent is stopping");
    this.#pool ??= Promise.all([import("./mcp-pool.ts"), this.#loggedIn()]).then(
      ([{ McpPool }, logins]) =>
        new McpPool({
          ...this.#deps,
          logins,
          onToolsChanged: async (server) => {
            await this.#catalog.load();
            await this.#deps.onToolsChanged?.(server);
          },
        }),
    );
    return await this.#pool;
  }
}

function assertPossible(server: McpServer, descriptor: ToolDescriptor, context: ToolContext): void {
  const { name, readOnly, effect } = descriptor;
  // In a sandbox that cannot be written to, without a network, nothing can be changed.
  if (context.readOnly === true && !readOnly && effect !== "sandbox")
    throw new ToolError("READ_ONLY", `${name} may change something, and this phase only looks`);
  if (context.environment !== undefined && server.sandbox === "plan")
    throw new ToolError(
      "NOT_AVAILABLE",
      `the plan's commands run in the dev container ${context.environment.name}, where MCP servers are not started`,
    );
}

async function callThrough(
  { client, rewriter, secrets }: PooledClient,
  { tool, server }: CatalogTool,
  args: JsonObject,
  context: ToolContext,
  peer: CallPeer,
): Promise<LooseResult> {
  const turned = rewriter === undefined ? args : rewriter.rewriteArgs(args);
  const result = await client.callTool(tool.name, turned, {
    signal: peer.signal,
    peer,
    onProgress: ({ progress, total, message }) => {
      const of = total === undefined ? "" : `/${total}`;
      const text = `${server.name}: ${progress}${of}${message === undefined ? "" : ` ${message}`}\n`;
      context.onOutput?.(secrets.without(text), "stderr");
    },
  });
  const told = secrets.without(result);
  return rewriter === undefined ? told : (rewriter.rewriteResult(told as never) as LooseResult);
}

function toolErrorFrom(error: unknown, tool: string): unknown {
  if (error instanceof McpError)
    return new ToolError(
      error.reason,
      error.message,
      { server: error.server, ...(error.stderr === undefined ? {} : { stderr: error.stderr.slice(-4000) }) },
      { cause: error },
    );
  if (error instanceof PathTraversalError)
    return new ToolError("PATH_OUTSIDE", `${tool}: ${error.message}`, {}, { cause: error });
  if (error instanceof TrustRequiredError)
    return new ToolError(error.reason, error.message, { command: error.command }, { cause: error });
  return error;
}
