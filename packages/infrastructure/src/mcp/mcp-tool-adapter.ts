import type { ToolDescriptor, ToolResult, Trust } from "@cleveragents/application";
import { type JsonObject, McpServerSchema, type McpTool } from "@cleveragents/domain";
import type { z } from "zod";
import { executableOf } from "./executable-of.ts";
import type { foreignInput } from "./foreign-input.ts";
import { catalogTool } from "./mcp-catalog.ts";
import { McpClient } from "./mcp-client.ts";
import { McpError } from "./mcp-error.ts";
import { type PlaceDeps, placeApart } from "./server-place.ts";
import { ServerSecrets } from "./server-secrets.ts";

export type McpServerConfig = z.input<typeof McpServerSchema>;

export interface MCPToolAdapterDeps extends PlaceDeps {
  readonly trust: Trust;
  readonly clientVersion: string;
}

/** Takes tools: a registry of the caller's own. */
export interface RegistersTools {
  register(descriptor: ToolDescriptor, call: (args: JsonObject) => Promise<ToolResult>): void;
}

/** One server and its tools for a program that has no plans: outside of any sandbox, or in an empty one of its own. */
export class MCPToolAdapter implements AsyncDisposable {
  readonly #client: McpClient;
  readonly #server: z.output<typeof McpServerSchema>;
  readonly #secrets: ServerSecrets;
  readonly #listeners = new Set<(server: string) => unknown>();
  #tools: readonly McpTool[] = [];
  #checkerOf: typeof foreignInput | undefined;

  constructor(config: McpServerConfig, deps: MCPToolAdapterDeps) {
    const server = McpServerSchema.parse(config);
    const place = placeApart(deps, server, server.sandbox === "plan");
    this.#server = server;
    this.#secrets = new ServerSecrets(server, deps.env);
    this.#client = new McpClient({
      server,
      env: deps.env,
      open: place.open,
      roots: place.roots,
      redactor: this.#secrets.redactor(),
      clientVersion: deps.clientVersion,
      permit: () => deps.trust.demand(executableOf(server)),
      onToolsChanged: () => void this.#relist(),
    });
  }

  /** Starts the server, or reaches it. Throws `McpError`. */
  async connect(): Promise<void> {
    await this.discoverTools();
  }

  async discoverTools(): Promise<readonly McpTool[]> {
    const { tools } = await this.#client.listTools();
    this.#checkerOf = (await import("./foreign-input.ts")).foreignInput;
    this.#tools = tools;
    return tools;
  }

  /** Those that were found the last time. */
  registerTools(registry: RegistersTools): void {
    const checkerOf = this.#checkerOf;
    if (checkerOf === undefined) return;
    for (const tool of this.#tools)
      registry.register(catalogTool(this.#server, tool, checkerOf).descriptor, (args) =>
        this.invoke(tool.name, args),
      );
  }

  /** Throws `McpError`, or `ToolError` for a tool that has failed. */
  async invoke(tool: string, args: JsonObject): Promise<ToolResult> {
    const known = this.#tools.find(({ name }) => name === tool);
    if (known === undefined)
      throw new McpError("MCP_TOOL_NOT_FOUND", this.#server.name, `it has no tool ${tool}`);
    const result = await this.#client.callTool(tool, args);
    const { toolOutcome } = await import("./tool-outcome.ts");
    return toolOutcome(this.#server.name, known, this.#secrets.without(result), undefined);
  }

  onToolsChanged(listener: (server: string) => unknown): void {
    this.#listeners.add(listener);
  }

  /** Settles when nothing of the server is left. */
  async disconnect(): Promise<void> {
    await this.#client.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnect();
  }

  async #relist(): Promise<void> {
    const before = JSON.stringify(this.#tools);
    await this.discoverTools().catch(() => undefined);
    if (before !== JSON.stringify(this.#tools)) for (const tell of this.#listeners) tell(this.#server.name);
  }
}
