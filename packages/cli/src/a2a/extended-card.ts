import { RemoteError } from "@cleveragents/protocol";
import { AgentCardError, createHttpTransport, fetchCardAt } from "@cleveragents/transport-http/client";
import type { CliContext } from "../context.ts";
import { a2aError } from "./a2a-errors.ts";
import type { CardFacts, CardInterface } from "./card-facts.ts";
import type { Sent } from "./credentials.ts";

export interface ExtendedOptions {
  readonly sent: Sent;
  readonly signal: AbortSignal;
}

/** The card for callers that are known (A2A §3.1.11), from the agent's first interface that is spoken here. */
export async function fetchExtendedCard(
  facts: CardFacts,
  options: ExtendedOptions,
  { fetch }: Pick<CliContext, "fetch">,
): Promise<{ readonly card: object; readonly url: string }> {
  if (!facts.hasExtendedCard)
    throw a2aError("CARD_NOT_FOUND", "this agent declares no extended card", {
      hint: "leave --extended out to see its public one",
    });
  const spoken = facts.interfaces.find(
    ({ binding, version }) => /^(JSONRPC|HTTP\+JSON)$/.test(binding) && /^(1\.0|0\.3)(\.|$)/.test(version),
  );
  if (spoken === undefined)
    throw a2aError("UNREACHABLE", "the card lists no interface that this command speaks", {
      hint: "it speaks JSONRPC and HTTP+JSON of A2A 1.0 and 0.3",
    });
  const card =
    spoken.binding === "JSONRPC" ? await call(spoken, options, fetch) : await get(spoken, options, fetch);
  if (typeof card !== "object" || card === null || Array.isArray(card))
    throw a2aError("CARD_INVALID", `${spoken.url} answered with something that is no card`);
  return { card, url: spoken.url };
}

function isLegacy({ version }: CardInterface): boolean {
  return version.startsWith("0.3");
}

function versionOf(one: CardInterface): string {
  return isLegacy(one) ? "0.3" : "1.0";
}

async function call(
  at: CardInterface,
  { sent, signal }: ExtendedOptions,
  fetch: CliContext["fetch"],
): Promise<unknown> {
  await using transport = createHttpTransport({ url: withQuery(at.url, sent), headers: sent.headers, fetch });
  const method = isLegacy(at) ? "agent/getAuthenticatedExtendedCard" : "GetExtendedAgentCard";
  const params = at.tenant === undefined ? {} : { tenant: at.tenant };
  const answer = await transport.request(
    { jsonrpc: "2.0", id: 1, method, params },
    { serviceParameters: { "A2A-Version": versionOf(at) }, signal },
  );
  if ("error" in answer) throw new RemoteError(answer.error);
  return answer.result;
}

async function get(
  at: CardInterface,
  { sent, signal }: ExtendedOptions,
  fetch: CliContext["fetch"],
): Promise<unknown> {
  const tenant = at.tenant === undefined ? "" : `/${encodeURIComponent(at.tenant)}`;
  const path = isLegacy(at) ? "/v1/card" : `${tenant}/extendedAgentCard`;
  const url = withQuery(`${at.url.replace(/\/+$/, "")}${path}`, sent);
  const card = await fetchCardAt(url, { version: versionOf(at), headers: sent.headers, signal, fetch });
  if (card === undefined) throw new AgentCardError("NOT_FOUND", `there is no extended card at ${at.url}`);
  return card;
}

function withQuery(address: string, { query }: Sent): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
