import type { McpServer } from "@cleveragents/domain";
import type { AuthProvider, Client, Transport } from "@modelcontextprotocol/client";
import type { SecretRedactor } from "../process/secret-redactor.ts";
import type { ServerProcess } from "../process/server-process.ts";
import { httpTransport } from "./http-transport.ts";
import { ManagedStdioTransport } from "./managed-stdio-transport.ts";
import { McpError } from "./mcp-error.ts";
import { mcpErrorFrom } from "./sdk-error.ts";

export interface ConnectRequest {
  readonly server: McpServer;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Starts the process of a server on stdio. */
  open(signal: AbortSignal): Promise<ServerProcess>;
  readonly redactor: SecretRedactor;
  /** Directories that the server is told to work in, as it sees them. */
  readonly roots: readonly string[];
  readonly clientVersion: string;
  /** It was found to be of the older era before: it is not asked again. */
  readonly knownLegacy: boolean;
  /** Whoever wanted it does not any more. */
  readonly signal: AbortSignal;
  onListChanged(): void;
  /** What a server is told who we are by, where a user logs in there. */
  authFor?(server: McpServer): AuthProvider;
  /** Answers what the server asks in the middle of a call; what it throws the server is told. */
  onAsked(what: "elicit" | "sample", params: unknown, isModern: boolean): Promise<object>;
  /** What goes wrong outside of any call. */
  onTrouble(error: Error): void;
}

export interface Connection {
  readonly client: Client;
  readonly server: { readonly name: string; readonly version: string };
  readonly protocol: string;
  readonly era: "legacy" | "modern";
  /** Of its process; undefined over HTTP. */
  readonly level: ServerProcess["level"] | undefined;
  /** Whether it holds a session of ours that it can forget. */
  readonly hasSession: boolean;
  fault(): string | undefined;
  stderr(): string | undefined;
  /** Processes of it that are still there. */
  left(): Promise<number>;
  /** Lines on its stdout that were no messages. */
  skippedLines(): number;
  /** Settles when nothing of it is left. */
  close(): Promise<void>;
}

type Sdk = typeof import("@modelcontextprotocol/client");
const PROBE_MS = 5000;
const SAY_GOODBYE_MS = 1000;
const RELISTEN_MS = 1000;

/** Starts or reaches a server and agrees on a version with it. Throws `McpError`; nothing is left running then. */
export async function connect(request: ConnectRequest): Promise<Connection> {
  // Loaded here, so that an agent that uses no server does not pay for it.
  const sdk = await import("@modelcontextprotocol/client");
  const { server } = request;
  const deadline = performance.now() + server.timeouts.start * 1000;
  if (server.transport !== "stdio") return await reach(sdk, request, deadline);
  const { protocol } = server;
  if (protocol !== "auto" || request.knownLegacy)
    return await attempt(sdk, request, stdio(request), protocol === "auto" ? "legacy" : protocol, deadline);
  try {
    return await attempt(sdk, request, stdio(request), "auto", deadline);
  } catch (error) {
    // Some servers of the older era end when they are asked anything before `initialize`.
    const { cause } = error as McpError;
    const code = (cause as { code?: unknown } | undefined)?.code;
    // One that starts slowly reads that question only when it is greeted already.
    if (code !== "ERA_NEGOTIATION_FAILED" && code !== "NOT_CONNECTED" && code !== "CONNECTION_CLOSED")
      throw error;
    return await attempt(sdk, request, stdio(request), "legacy", deadline);
  }
}

async function reach(sdk: Sdk, request: ConnectRequest, deadline: number): Promise<Connection> {
  const { server, env } = request;
  const authFor = request.authFor?.bind(request);
  const mode = request.knownLegacy && server.protocol === "auto" ? "legacy" : server.protocol;
  if (server.transport === "sse")
    return await attempt(sdk, request, httpTransport(sdk, server, env, "sse", authFor), "legacy", deadline);
  try {
    return await attempt(sdk, request, httpTransport(sdk, server, env, "http", authFor), mode, deadline);
  } catch (error) {
    // Servers from before Streamable HTTP answer a first POST so.
    if (![400, 404, 405].includes(statusIn(error) ?? 0) || server.protocol === "2026-07-28") throw error;
    return await attempt(
      sdk,
      request,
      httpTransport(sdk, server, env, "sse", authFor),
      "legacy",
      deadline,
    ).catch(() => {
      throw error;
    });
  }
}

function statusIn(error: unknown): number | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { status } = at as { status?: unknown };
    if (typeof status === "number") return status;
  }
  return undefined;
}

const stdio = (request: ConnectRequest): ManagedStdioTransport =>
  new ManagedStdioTransport({
    open: (signal) => request.open(signal),
    maxMessageBytes: request.server.max_message_bytes,
    redactor: request.redactor,
  });

async function attempt(
  sdk: Sdk,
  request: ConnectRequest,
  transport: Transport,
  mode: McpServer["protocol"],
  deadline: number,
): Promise<Connection> {
  const { server } = request;
  const client = clientFor(sdk, request);
  const managed = transport instanceof ManagedStdioTransport ? transport : undefined;
  const ms = Math.max(1, deadline - performance.now());
  const late = AbortSignal.timeout(Math.ceil(ms));
  const given = AbortSignal.any([late, request.signal]);
  const over = Promise.withResolvers<never>();
  const stop = (): void => over.reject(new Error("not waited for any longer"));
  given.addEventListener("abort", stop, { once: true });
  if (given.aborted) stop();
  try {
    if (mode !== "legacy") {
      const probe = { timeoutMs: Math.min(PROBE_MS, ms / 2) };
      client.setVersionNegotiation({ mode: mode === "auto" ? mode : { pin: mode }, probe });
    }
    await Promise.race([client.connect(transport, { timeout: ms + 1000 }), over.promise]);
  } catch (error) {
    // By its end a server says more than by a line that is cut; our ending it says nothing.
    const before = managed?.fault;
    const { code } = error as { code?: unknown };
    await closeAll(client, transport);
    const stderr = managed?.stderr;
    if (request.signal.aborted)
      throw new McpError("MCP_STOPPED", server.name, "it is not used any more", { cause: error });
    if (late.aborted)
      throw new McpError("MCP_TIMEOUT", server.name, `it did not answer within ${server.timeouts.start} s`, {
        cause: error,
        stderr,
      });
    const answered =
      typeof code === "number" || code === "REQUEST_TIMEOUT" || code === "ERA_NEGOTIATION_FAILED";
    throw mcpErrorFrom(error, {
      server: server.name,
      cancelled: false,
      fault:
        code === "ERA_NEGOTIATION_FAILED" ? undefined : (before ?? (answered ? undefined : managed?.fault)),
      stderr,
    });
  } finally {
    given.removeEventListener("abort", stop);
  }
  const open = { yes: true };
  if (client.getProtocolEra() === "modern") void listen(client, request, open);
  return connectionOf(client, transport, managed, open);
}

function clientFor(sdk: Sdk, request: ConnectRequest): Client {
  const { roots, server } = request;
  const capabilities = {
    elicitation: { form: {}, url: {} },
    ...(roots.length === 0 ? {} : { roots: {} }),
    ...(server.sampling === undefined ? {} : { sampling: {} }),
  };
  const client = new sdk.Client({ name: "cleveragents", version: request.clientVersion }, { capabilities });
  const isModern = () => client.getProtocolEra() === "modern";
  // Casts, because what is answered is put together from what the server has sent.
  client.setRequestHandler(
    "elicitation/create",
    async ({ params }) => (await request.onAsked("elicit", params, isModern())) as never,
  );
  if (server.sampling !== undefined)
    client.setRequestHandler(
      "sampling/createMessage",
      async ({ params }) => (await request.onAsked("sample", params, isModern())) as never,
    );
  client.onerror = (error) => request.onTrouble(error);
  if (roots.length > 0)
    client.setRequestHandler("roots/list", () => ({
      roots: roots.map((root) => ({ uri: `file://${encodeURI(root)}`, name: "project" })),
    }));
  client.setNotificationHandler("notifications/tools/list_changed", () => request.onListChanged());
  return client;
}

function connectionOf(
  client: Client,
  transport: Transport,
  managed: ManagedStdioTransport | undefined,
  open: { yes: boolean },
): Connection {
  const { name = "", version = "" } = client.getServerVersion() ?? {};
  return {
    client,
    server: { name, version },
    protocol: client.getNegotiatedProtocolVersion() ?? "",
    era: client.getProtocolEra() ?? "legacy",
    level: managed?.level,
    get hasSession() {
      return transport.sessionId !== undefined;
    },
    fault: () => managed?.fault,
    stderr: () => managed?.stderr,
    left: async () => (await managed?.left()) ?? 0,
    skippedLines: () => managed?.skipped ?? 0,
    async close() {
      open.yes = false;
      await closeAll(client, transport);
    },
  };
}

/** The SDK's client answers before its process is gone, and so does not say when that is: the line does. */
async function closeAll(client: Client, transport: Transport): Promise<void> {
  const { terminateSession } = transport as { terminateSession?: () => Promise<void> };
  if (terminateSession !== undefined && transport.sessionId !== undefined) {
    const waited = new AbortController();
    await Promise.race([
      terminateSession.call(transport).catch(() => undefined),
      until(SAY_GOODBYE_MS, waited),
    ]);
    waited.abort();
  }
  await client.close().catch(() => undefined);
  await transport.close().catch(() => undefined);
}

function until(ms: number, waited: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    waited.signal.addEventListener("abort", () => clearTimeout(timer));
  });
}

/** Servers of the newer era tell of changes on a stream that is asked for, which the SDK does not renew. */
async function listen(client: Client, request: ConnectRequest, open: { yes: boolean }): Promise<void> {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  try {
    while (open.yes) {
      const subscription = await client.listen({ toolsListChanged: true });
      if ((await subscription.closed) !== "remote" || !open.yes) return;
      await new Promise((resolve) => setTimeout(resolve, RELISTEN_MS).unref());
      // What was changed meanwhile nobody has told us.
      if (open.yes) request.onListChanged();
    }
  } catch (error) {
    if (open.yes) request.onTrouble(error as Error);
  }
}
