import { fileURLToPath } from "node:url";
import { fetchAgentCard } from "@cleveragents/transport-http/client";
import type { CliContext } from "../context.ts";
import { a2aError } from "./a2a-errors.ts";

export interface ResolvedCard {
  readonly card: object;
  /** An address, or the path of a file. */
  readonly place: string;
  /** Undefined for a file. */
  readonly url: string | undefined;
}

export interface ResolveOptions {
  readonly version: string;
  readonly signal: AbortSignal;
}

/** The card that a reference names: a file, an address of an agent, or one of its card. */
export async function resolveCard(
  reference: string,
  { version, signal }: ResolveOptions,
  context: Pick<CliContext, "fetch" | "readFile">,
): Promise<ResolvedCard> {
  const path = pathOf(reference);
  if (path !== undefined) return { card: await readCard(path, context), place: path, url: undefined };
  const { card, url } = await fetchAgentCard(addressOf(reference), { version, signal, fetch: context.fetch });
  return { card: card as object, place: url, url }; // of a fetched card that is sure
}

/** Undefined for an address. `card.json` is a file, `agents.example` a host. */
function pathOf(reference: string): string | undefined {
  if (reference.startsWith("file://")) return fileURLToPath(reference);
  const looksLikePath = /^\.{0,2}[/\\]/.test(reference) || !/^[a-z][\w+.-]*:/i.test(reference);
  return looksLikePath && (/^\.{0,2}[/\\]/.test(reference) || reference.endsWith(".json"))
    ? reference
    : undefined;
}

function addressOf(reference: string): string {
  const hasScheme = /^https?:\/\//i.test(reference);
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\])(?=[:/]|$)/i.test(reference);
  const address = hasScheme ? reference : `${isLocal ? "http" : "https"}://${reference}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (!hasScheme && /^[a-z][\w+.-]*:\/\//i.test(reference)))
    throw a2aError("USAGE", `not an agent's address: ${reference}`, {
      hint: "it looks like https://agents.example, or is the address or the file of a card",
    });
  if (url.username !== "" || url.password !== "")
    throw a2aError("USAGE", "an agent's address holds no credentials", { hint: "use --bearer or --api-key" });
  return address;
}

async function readCard(path: string, { readFile }: Pick<CliContext, "readFile">): Promise<object> {
  const text = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw a2aError("CARD_NOT_FOUND", `cannot read ${path}: ${cause.code ?? cause.message}`, { cause });
  });
  try {
    const card: unknown = JSON.parse(text);
    if (typeof card === "object" && card !== null && !Array.isArray(card)) return card;
  } catch {
    // Said below.
  }
  throw a2aError("CARD_INVALID", `${path} holds no JSON object`);
}
