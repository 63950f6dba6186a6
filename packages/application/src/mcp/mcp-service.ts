import {
  canonicalName,
  exposedToolName,
  isOffered,
  type McpListing,
  type McpServer,
  McpServerSchema,
} from "@cleveragents/domain";
import type { Clock } from "../ports/clock.ts";
import { type McpDiscovered, type McpDiscovery, McpUnavailableError } from "../ports/mcp-discovery.ts";
import type { McpLogin, McpLoginBegun, McpLoginEnd } from "../ports/mcp-login.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import { TrustRequiredError } from "../ports/trust.ts";
import { mcpEntries, mcpEntry } from "./mcp-entries.ts";
import { storeListing } from "./mcp-listings.ts";

export interface McpServiceDeps {
  readonly registry: RegistryStore;
  readonly discovery: McpDiscovery;
  readonly login: McpLogin;
  readonly clock: Clock;
}

export interface McpTested extends McpDiscovered {
  readonly name: string;
  readonly tools: readonly OfferedTool[];
}

export interface OfferedTool {
  /** What the server calls it. */
  readonly name: string;
  /** What plans and models call it. */
  readonly exposed: string;
  readonly tool: McpListing["tools"][number];
  readonly offered: boolean;
}

export type McpRefreshed = {
  readonly name: string;
  readonly tools: number;
} & (
  | {
      readonly status: "refreshed" | "unchanged";
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly changed: readonly string[];
      readonly refused: McpListing["refused"];
      readonly warnings: readonly string[];
    }
  | { readonly status: "failed"; readonly reason: string; readonly message: string }
);

/** Servers that are started at a time by a refresh of all. */
const AT_A_TIME = 4;

/** Tests registered MCP servers and keeps the lists of their tools, so that nobody has to start them to see these. */
export class McpService {
  readonly #deps: McpServiceDeps;

  constructor(deps: McpServiceDeps) {
    this.#deps = deps;
  }

  /** Starts it, lists, stops it. Keeps nothing. Throws what {@link McpDiscovery.discover} throws. */
  async test(name: string, signal: AbortSignal): Promise<McpTested> {
    const server = await this.#find(name);
    const discovered = await this.#deps.discovery.discover(server, signal);
    const tools = discovered.listing.tools.map((tool) => ({
      name: tool.name,
      exposed: `mcp/${exposedToolName(server.name, tool.name)}`,
      tool,
      offered: isOffered(tool.name, server),
    }));
    return { ...discovered, name: server.name, tools };
  }

  /** Lists the tools of one server, or of all, anew. One that cannot be used keeps its list and is told of. */
  async refresh(name: string | undefined, signal: AbortSignal): Promise<readonly McpRefreshed[]> {
    const servers = name === undefined ? await this.#all() : [await this.#find(name)];
    const refreshed: McpRefreshed[] = [];
    for (let at = 0; at < servers.length; at += AT_A_TIME)
      refreshed.push(
        ...(await Promise.all(
          servers.slice(at, at + AT_A_TIME).map((server) => this.#refresh(server, signal)),
        )),
      );
    if (name === undefined) await this.#prune(servers);
    await this.#deps.discovery.changed(
      refreshed.filter(({ status }) => status === "refreshed").map((server) => server.name),
    );
    return refreshed;
  }

  /** Where the user logs in at a server. Throws what {@link McpLogin.begin} throws. */
  async beginLogin(name: string, redirectUri: string, signal: AbortSignal): Promise<McpLoginBegun> {
    return await this.#deps.login.begin(await this.#find(name), redirectUri, signal);
  }

  /** Throws what {@link McpLogin.finish} throws. */
  async finishLogin(
    state: string,
    end: McpLoginEnd,
    signal: AbortSignal,
  ): Promise<{ readonly server: string }> {
    return await this.#deps.login.finish(state, end, signal);
  }

  /** Also of a server that is not registered any more. */
  async logout(given: string): Promise<{ readonly server: string; readonly forgotten: boolean }> {
    const server = canonicalName(given);
    return { server, forgotten: await this.#deps.login.forget(server) };
  }

  /** Lists of servers that are not registered any more. */
  async #prune(servers: readonly McpServer[]): Promise<void> {
    const { registry } = this.#deps;
    const known = new Set(servers.map(({ name }) => name));
    for (const { name } of await registry.list("mcp_tools"))
      if (!known.has(name)) await registry.remove("mcp_tools", name).catch(() => undefined); // another was quicker
  }

  async #refresh(server: McpServer, signal: AbortSignal): Promise<McpRefreshed> {
    const { registry, discovery, clock } = this.#deps;
    const { name } = server;
    try {
      const { listing } = await discovery.discover(server, signal);
      const stored = await storeListing(registry, name, { ...listing, found_at: clock.now() });
      const { tools, refused, warnings } = listing;
      return { name, tools: tools.length, ...stored, refused, warnings };
    } catch (error) {
      if (!(error instanceof McpUnavailableError || error instanceof TrustRequiredError)) throw error;
      const { reason, message } = error;
      const kept = await registry.find("mcp_tools", name);
      const tools = (kept?.document["tools"] as unknown[] | undefined)?.length ?? 0;
      return { name, tools, status: "failed", reason, message };
    }
  }

  async #find(given: string): Promise<McpServer> {
    const { name, document } = await mcpEntry(this.#deps.registry, given);
    return { ...McpServerSchema.parse(document), name };
  }

  async #all(): Promise<readonly McpServer[]> {
    const entries = await mcpEntries(this.#deps.registry);
    return entries.map(({ name, document }) => ({ ...McpServerSchema.parse(document), name }));
  }
}
