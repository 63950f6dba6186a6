import { createClient, RemoteError, TransportError } from "@cleveragents/protocol";
import { AgentCardError, fetchAgentCard } from "@cleveragents/transport-http/client";
import { CliError } from "../cli-error.ts";
import type { Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { addressOf } from "./endpoint.ts";

/** What a server lets somebody do. */
export type Access = "accepted" | "limited" | "refused" | "missing";

export interface Probe {
  readonly card: object;
  readonly access: Access;
  /** What it says of itself, where it says that. */
  readonly version: string | undefined;
  readonly status: string | undefined;
}

const OURS = "urn:cleveragents:extensions:v1";
const TIMEOUT_MS = 30_000;

/**
 * Asks a server who it is, and whether it lets us in with this token. Throws where nobody answers, or somebody else does;
 * changes nothing there.
 */
export async function probeServer(
  { context, options }: Pick<Invocation, "context" | "options">,
  endpoint: URL,
  token: string | undefined,
): Promise<Probe> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const card = await cardAt(endpoint, context.fetch, timeoutMs);
  await using client = createClient(
    await context.connect({
      server: endpoint.href,
      token,
      transport: "http",
      dataDir: options.dataDir,
      timeoutMs,
      onAgentLog: undefined,
    }),
  );
  try {
    const { version, status } = await client.call("_cleveragents/health/check", {}, { timeoutMs });
    return { card, access: "accepted", version, status };
  } catch (error) {
    const reason = RemoteError.is(error) || TransportError.is(error) ? error.reason : undefined;
    const version = (card as { readonly version?: string }).version;
    const known = { card, version, status: undefined };
    if (reason === "PERMISSION_DENIED") return { ...known, access: "limited" };
    if (reason === "AUTHENTICATION_REQUIRED" || reason === "UNAUTHORIZED")
      return { ...known, access: token === undefined ? "missing" : "refused" };
    throw error;
  }
}

async function cardAt(endpoint: URL, send: typeof fetch, timeoutMs: number): Promise<object> {
  const address = addressOf(endpoint);
  const elsewhere = (message: string, hint: string, cause?: unknown) =>
    new CliError("NOT_A_SERVER", message, { cause, hint, exitCode: EXIT.UNREACHABLE });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { card } = await fetchAgentCard(address, { version: "1.0", fetch: send, signal });
    if (namesOurExtension(card)) return card as object; // of a fetched card that is sure
  } catch (error) {
    if (!(error instanceof AgentCardError)) throw error;
    throw elsewhere(
      `no CleverAgents server answers at ${address}: ${error.message}`,
      "is the address right? agents serve prints that of a server",
      error,
    );
  }
  throw elsewhere(
    `what answers at ${address} is an A2A agent, but no CleverAgents server`,
    `speak to it with agents a2a: agents a2a card get ${address}`,
  );
}

function namesOurExtension(card: unknown): boolean {
  const { capabilities } = card as { readonly capabilities?: { readonly extensions?: unknown } };
  const extensions = capabilities?.extensions;
  return (
    Array.isArray(extensions) &&
    extensions.some(
      (one: unknown) => typeof one === "object" && one !== null && "uri" in one && one.uri === OURS,
    )
  );
}
