import {
  type Logger,
  mcpEntries,
  type RegistryEntry,
  type RegistryStore,
  type ToolDescriptor,
} from "@cleveragents/application";
import {
  exposedToolName,
  fitsToolPattern,
  isOffered,
  type JsonObject,
  McpListingSchema,
  type McpServer,
  McpServerSchema,
  type McpTool,
} from "@cleveragents/domain";
import { startDigest } from "./executable-of.ts";
import type { foreignInput } from "./foreign-input.ts";

/** Under this namespace MCP tools are offered, whatever server they are of. */
export const MCP_PREFIX = "mcp/";

export interface CatalogTool {
  readonly server: McpServer;
  readonly tool: McpTool;
  readonly descriptor: ToolDescriptor;
}

interface ReadServer {
  /** The same for the same document and the same list. */
  readonly of: string;
  readonly tools: readonly CatalogTool[];
}

export interface McpCatalogDeps {
  readonly registry: RegistryStore;
  readonly logger: Logger;
}

/** What may be called of which server, put together from what is stored: looking at it starts nothing. */
export class McpCatalog {
  readonly #deps: McpCatalogDeps;
  #servers: ReadonlyMap<string, ReadServer> = new Map();
  #tools: ReadonlyMap<string, CatalogTool> = new Map();
  #descriptors: readonly ToolDescriptor[] = [];
  #loading: Promise<void> | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: McpCatalogDeps) {
    this.#deps = deps;
  }

  list(): readonly ToolDescriptor[] {
    return this.#descriptors;
  }

  find(name: string): CatalogTool | undefined {
    return this.#tools.get(name);
  }

  /** How long ago it was read. */
  get age(): number {
    return performance.now() - this.#loadedAt;
  }

  /** Reads all of it anew. Whoever asks while it is read waits for the same. */
  async load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }

  async #load(): Promise<void> {
    const { registry } = this.#deps;
    const startedAt = performance.now();
    const [servers, listings] = await Promise.all([mcpEntries(registry), registry.list("mcp_tools")]);
    const found = new Map(listings.map(({ name, document }) => [name, document]));
    if (found.size === 0 || servers.length === 0) return this.#take(new Map(), startedAt);
    const tools = new Map<string, CatalogTool>();
    const ambiguous = new Set<string>();
    const read = new Map<string, ReadServer>();
    for (const entry of servers) {
      const of = await this.#read(entry, found.get(entry.name));
      read.set(entry.name, of);
      for (const tool of of.tools) {
        const exposed = tool.descriptor.name;
        if (tools.has(exposed)) ambiguous.add(exposed);
        tools.set(exposed, tool);
      }
    }
    this.#servers = read;
    for (const exposed of ambiguous) {
      tools.delete(exposed);
      this.#deps.logger.warn({ tool: exposed }, "two MCP tools would have this name, so neither is offered");
    }
    this.#take(tools, startedAt);
  }

  /** What was read before of the same server and the same list is as good. */
  async #read({ name, document }: RegistryEntry, listed: JsonObject | undefined): Promise<ReadServer> {
    const of = `${JSON.stringify(document)}\n${String(listed?.["of"])}\n${String(listed?.["hash"])}`;
    const known = this.#servers.get(name);
    if (known?.of === of) return known;
    const server = McpServerSchema.safeParse(document).data;
    if (server === undefined)
      this.#deps.logger.warn({ server: name }, "a registered MCP server cannot be read and is left out");
    const listing = listed && McpListingSchema.safeParse(listed).data;
    if (server === undefined || listing === undefined) return { of, tools: [] };
    const named = { ...server, name };
    // Of another start it says nothing about this one.
    if (listing.of !== startDigest(named)) return { of, tools: [] };
    // Brings the reader of JSON Schema along, which is large.
    const { foreignInput } = await import("./foreign-input.ts");
    const offered = listing.tools.filter((tool) => isOffered(tool.name, server));
    return { of, tools: offered.map((tool) => catalogTool(named, tool, foreignInput)) };
  }

  #take(tools: ReadonlyMap<string, CatalogTool>, at: number): void {
    this.#tools = tools;
    this.#descriptors = [...tools.values()].map(({ descriptor }) => descriptor);
    this.#loadedAt = at;
  }
}

/**
 * What a server says of its tools is a hint: it can make us more careful, never less. Less careful are we where whoever
 * registered the server says so, and where the plan's sandbox holds what is done.
 */
export function catalogTool(server: McpServer, tool: McpTool, checkerOf: typeof foreignInput): CatalogTool {
  const { hints } = tool;
  const isHarmless =
    server.read_only_tools.some((pattern) => fitsToolPattern(pattern, tool.name)) &&
    hints.readOnlyHint !== false &&
    hints.destructiveHint !== true;
  const isHeld = server.sandbox === "plan" && !server.network;
  return {
    server,
    tool,
    descriptor: {
      name: `${MCP_PREFIX}${exposedToolName(server.name, tool.name)}`,
      description: tool.description === "" ? (hints.title ?? tool.name) : tool.description,
      source: "mcp",
      input: checkerOf(tool.inputSchema),
      inputSchema: tool.inputSchema,
      readOnly: isHarmless,
      idempotent: isHarmless,
      effect: isHarmless ? "none" : isHeld ? "sandbox" : "irreversible",
      networkOf: () => !isHeld,
    },
  };
}
