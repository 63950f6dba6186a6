import type { AgentCard } from "@a2a-js/sdk";
import { RemoteAgentError } from "@cleveragents/application";
import type { A2aActor } from "@cleveragents/domain";
import type { Way } from "./remote-agents.ts";

const WELL_KNOWN = [".well-known/agent-card.json", ".well-known/agent.json"];
const BINDINGS: ReadonlySet<string> = new Set(["JSONRPC", "HTTP+JSON"]);

/**
 * The agent's card, with the interfaces of it that are spoken here, in its own order; those of the newest version first.
 * Throws `RemoteAgentError`.
 */
export async function findCard(actor: A2aActor, way: Way, signal: AbortSignal): Promise<AgentCard> {
  const { DefaultAgentCardResolver } = await import("@a2a-js/sdk/client");
  const resolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } });
  const { url, json } = await fetched(actor, way, signal);
  let card: AgentCard;
  try {
    card = resolver.normalizeAgentCard(json);
  } catch (cause) {
    throw noCard(url, cause);
  }
  const offered = Array.isArray(card.supportedInterfaces) ? card.supportedInterfaces : [];
  if (offered.length === 0) throw noCard(url);
  const spoken = offered.filter(
    ({ protocolBinding, protocolVersion }) =>
      BINDINGS.has(protocolBinding.toUpperCase()) &&
      (actor.protocol === undefined || isOf(protocolVersion, actor.protocol)) &&
      (isOf(protocolVersion, "1.0") || isOf(protocolVersion, "0.3")),
  );
  if (spoken.length === 0) {
    const has = offered.map((one) => `${one.protocolBinding} ${one.protocolVersion}`).join(", ");
    const wanted =
      actor.protocol === undefined ? "JSONRPC or HTTP+JSON of A2A 1.0 or 0.3" : `A2A ${actor.protocol}`;
    throw new RemoteAgentError("REMOTE_REFUSED", `its card offers ${has}, and not ${wanted}`, {
      unsent: true,
    });
  }
  for (const one of spoken) judge(new URL(url), one.url, way);
  const supportedInterfaces = spoken.toSorted(
    (a, b) => Number(isOf(b.protocolVersion, "1.0")) - Number(isOf(a.protocolVersion, "1.0")),
  );
  return { ...card, supportedInterfaces };
}

/** Where a card sends us must be no worse than where it came from, and not back to ourselves. */
function judge(from: URL, address: string, way: Way): void {
  const to = URL.parse(address);
  if (to === null || !/^https?:$/.test(to.protocol))
    throw new RemoteAgentError("REMOTE_BAD_RESPONSE", "its card names an address that is none", {
      unsent: true,
    });
  if (from.protocol === "https:" && to.protocol === "http:")
    throw new RemoteAgentError("REMOTE_ADDRESS_REFUSED", "its card came by https and leads to http", {
      unsent: true,
    });
  if (way.isOwn(to))
    throw new RemoteAgentError(
      "REMOTE_ADDRESS_REFUSED",
      "its card leads to this agent itself, which would wait for itself",
      {
        unsent: true,
      },
    );
}

async function fetched(
  actor: A2aActor,
  way: Way,
  signal: AbortSignal,
): Promise<{ url: string; json: unknown }> {
  const addresses = addressesOf(actor.card);
  for (const url of addresses) {
    // A credential is for the agent, and its card says where that is.
    const response = await way.plainFetch(url, {
      signal,
      headers: { accept: "application/json", "a2a-version": actor.protocol ?? "1.0" },
    });
    if (response.status === 404 || response.status === 405 || response.status === 410) continue;
    if (!response.ok)
      throw new RemoteAgentError("REMOTE_BAD_RESPONSE", `${url} answers ${response.status}`, {
        unsent: true,
      });
    try {
      return { url, json: await response.json() };
    } catch (cause) {
      if (cause instanceof RemoteAgentError) throw cause;
      throw noCard(url, cause);
    }
  }
  throw new RemoteAgentError("REMOTE_BAD_RESPONSE", `there is no agent card at ${addresses.join(", ")}`, {
    unsent: true,
  });
}

function addressesOf(address: string): string[] {
  const url = new URL(address);
  if (/\.json$|\/\.well-known\//.test(url.pathname)) return [url.href];
  const below = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  return [...new Set([below, url.origin])].flatMap((base) => WELL_KNOWN.map((path) => `${base}/${path}`));
}

function isOf(version: string, wanted: "1.0" | "0.3"): boolean {
  return version === wanted || version.startsWith(`${wanted}.`);
}

function noCard(url: string, cause?: unknown): RemoteAgentError {
  return new RemoteAgentError("REMOTE_BAD_RESPONSE", `what stands at ${url} is no agent card`, {
    unsent: true,
    cause,
  });
}
