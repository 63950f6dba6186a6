import { parseJson } from "@cleveragents/protocol";
import { Exchange } from "./exchange.ts";
import { readText } from "./read-response.ts";

export interface FetchCardOptions {
  /** Sent as `A2A-Version`. */
  readonly version?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface FetchedCard {
  readonly card: unknown;
  /** Where it was found. */
  readonly url: string;
}

export type AgentCardReason = "NOT_FOUND" | "REFUSED" | "UNAUTHORIZED" | "NOT_A_CARD";

/** An address that answers, but with no card. */
export class AgentCardError extends Error {
  override readonly name = "AgentCardError";
  readonly reason: AgentCardReason;
  constructor(reason: AgentCardReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const WELL_KNOWN = [".well-known/agent-card.json", ".well-known/agent.json"];
const MAX_LENGTH = 4 * 1024 * 1024;

/**
 * Where a card may be, the likeliest first: the address itself if it is a card's, else the well-known paths below it, then
 * those of its origin.
 */
export function cardAddresses(address: string): string[] {
  const url = new URL(address);
  url.hash = "";
  if (/\.json$|\/\.well-known\//.test(url.pathname)) return [url.href];
  url.search = "";
  const below = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  return [...new Set([below, url.origin])].flatMap((base) => WELL_KNOWN.map((path) => `${base}/${path}`));
}

/**
 * Fetches the public card of an agent (A2A §8.2). Throws {@link AgentCardError}, or `TransportError` where nobody answers.
 */
export async function fetchAgentCard(address: string, options: FetchCardOptions = {}): Promise<FetchedCard> {
  const addresses = cardAddresses(address);
  for (const url of addresses) {
    const card = await fetchCardAt(url, options);
    if (card !== undefined) return { card, url };
  }
  throw new AgentCardError("NOT_FOUND", `there is no agent card at ${addresses.join(", ")}`);
}

/** Undefined where nothing is at this address. */
export async function fetchCardAt(url: string, options: FetchCardOptions): Promise<unknown> {
  const { version, headers, signal } = options;
  const send = options.fetch ?? fetch;
  const given = new Headers(headers);
  given.set("accept", "application/json, application/a2a+json");
  if (version !== undefined) given.set("a2a-version", version);
  // A credential never follows a redirect; a public card may have moved.
  const redirect = headers === undefined ? "follow" : "manual";
  const exchange = new Exchange(
    new URL(url),
    (ended) => send(url, { headers: given, redirect, signal: ended }),
    signal,
  );
  try {
    const response = await exchange.response();
    const { status } = response;
    if (status === 404 || status === 405 || status === 410) return undefined;
    if (status === 401 || status === 403)
      throw new AgentCardError("UNAUTHORIZED", `${url} answered ${status}`);
    const text = await readText(exchange, response, MAX_LENGTH);
    if (status !== 200) throw new AgentCardError("REFUSED", `${url} answered ${status}${wordsOf(text)}`);
    const card = parse(text);
    if (typeof card !== "object" || card === null || Array.isArray(card))
      throw new AgentCardError("NOT_A_CARD", `${url} answered with something that is no JSON object`);
    return card;
  } finally {
    exchange.end();
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** What a refusal in JSON says for itself. */
function wordsOf(text: string): string {
  const { error } = (parse(text) ?? {}) as { error?: { message?: unknown } };
  return typeof error?.message === "string" ? `: ${error.message}` : "";
}
