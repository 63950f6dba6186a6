import {
  type Logger,
  type RegistryStore,
  storeListing,
  type ToolContext,
  type Trust,
} from "@cleveragents/application";
import { McpListingSchema, type McpServer } from "@cleveragents/domain";
import { executableOf, startDigest } from "./executable-of.ts";
import { McpClient } from "./mcp-client.ts";
import type { McpLogins } from "./mcp-logins.ts";
import type { SandboxPathRewriter } from "./sandbox-path-rewriter.ts";
import { type PlaceDeps, placeApart, placeInPlan } from "./server-place.ts";
import { ServerSecrets } from "./server-secrets.ts";

export interface McpPoolDeps extends PlaceDeps {
  readonly registry: RegistryStore;
  readonly trust: Trust;
  readonly clientVersion: string;
  readonly logger: Logger;
  readonly now: () => number;
  readonly logins?: McpLogins | undefined;
  /** The tools of a server are others than before, and stored. */
  readonly onToolsChanged: (server: string) => Promise<void>;
}

export interface PooledClient {
  readonly client: McpClient;
  readonly secrets: ServerSecrets;
  readonly rewriter: SandboxPathRewriter | undefined;
}

interface Pooled extends PooledClient {
  readonly planId: string | undefined;
  /** What the server was when it was made. */
  readonly document: string;
}

/** The servers that are, or were, used: one for all plans, or one for each plan where it works in the plan's sandbox. */
export class McpPool {
  readonly #deps: McpPoolDeps;
  readonly #pooled = new Map<string, Promise<Pooled>>();
  #closed = false;

  constructor(deps: McpPoolDeps) {
    this.#deps = deps;
  }

  async clientFor(
    server: McpServer,
    context: Pick<ToolContext, "planId" | "sandbox" | "readOnly">,
  ): Promise<PooledClient> {
    const isOfPlan = server.sandbox === "plan";
    const readOnly = context.readOnly === true;
    const key = JSON.stringify(isOfPlan ? [server.name, context.planId, readOnly] : [server.name]);
    const document = JSON.stringify(server);
    const known = await this.#pooled.get(key);
    if (known?.document === document) return known;
    if (known !== undefined) {
      // It was registered anew: what runs is not what is meant any more.
      this.#pooled.delete(key);
      await known.client.close();
    }
    const raced = this.#pooled.get(key);
    if (raced !== undefined) return await raced;
    const made = this.#make(server, document, isOfPlan ? context : undefined);
    this.#pooled.set(key, made);
    made.catch(() => this.#pooled.delete(key));
    return await made;
  }

  async rest(planId: string): Promise<void> {
    await this.#end(async (pooled) => pooled.planId === planId);
  }

  /** Stops every client of a server that is not registered any more. */
  async forget(server: string): Promise<void> {
    await this.#end(async ({ document }) => (JSON.parse(document) as McpServer).name === server);
  }

  /** Settles when nothing of any server is left. */
  async close(drainMs: number): Promise<void> {
    this.#closed = true;
    await this.#end(async () => true, drainMs);
  }

  async #end(concerns: (pooled: Pooled) => Promise<boolean>, drainMs?: number): Promise<void> {
    await Promise.all(
      [...this.#pooled].map(async ([key, made]) => {
        const pooled = await made.catch(() => undefined);
        if (pooled === undefined || !(await concerns(pooled))) return;
        this.#pooled.delete(key);
        await pooled.client.close(drainMs);
      }),
    );
  }

  async #make(
    server: McpServer,
    document: string,
    context: Pick<ToolContext, "planId" | "sandbox" | "readOnly"> | undefined,
  ): Promise<Pooled> {
    const { env, logger, trust, clientVersion, registry, logins } = this.#deps;
    const place =
      context === undefined
        ? placeApart(this.#deps, server, false)
        : await placeInPlan(this.#deps, server, context.sandbox, context.readOnly === true);
    const secrets = new ServerSecrets(server, env, () => logins?.secretsOf(server.name) ?? []);
    const listed = McpListingSchema.safeParse((await registry.find("mcp_tools", server.name))?.document).data;
    if (this.#closed) throw new Error("the agent is stopping");
    const client: McpClient = new McpClient({
      server,
      env,
      open: place.open,
      roots: place.roots,
      redactor: secrets.redactor(),
      clientVersion,
      knownLegacy: listed?.era === "legacy" && listed.of === startDigest(server),
      ...(logins === undefined
        ? {}
        : {
            authFor: (of: McpServer) => logins.authFor(of),
            onScopeWanted: (scope: string) => void logins.wants(server, scope),
          }),
      permit: () => trust.demand(executableOf(server)),
      onTrouble: (error) =>
        logger.debug({ server: server.name, error: error.message }, "an MCP server said something odd"),
      onState: (from, to) =>
        logger.debug({ server: server.name, from, to }, "an MCP server changed its state"),
      onToolsChanged: () => void this.#relist(server, client),
    });
    const rewriter = place.rewriter;
    return { client, secrets, rewriter, document, planId: context?.planId };
  }

  /** Best effort: the list that is stored stays when this one cannot be had. */
  async #relist(server: McpServer, client: McpClient): Promise<void> {
    try {
      const { connection } = client;
      if (connection === undefined) return;
      const { server: said, protocol, era } = connection;
      const listed = await client.listTools();
      const of = startDigest(server);
      const listing = { ...listed, of, server: said, protocol, era, found_at: this.#deps.now() };
      const { status } = await storeListing(this.#deps.registry, server.name, listing);
      if (status === "refreshed") await this.#deps.onToolsChanged(server.name);
    } catch (error) {
      this.#deps.logger.debug(
        { server: server.name, error: (error as Error).message },
        "the tools of an MCP server could not be listed anew",
      );
    }
  }
}
