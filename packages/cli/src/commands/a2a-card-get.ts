import { checkAgentCard } from "@cleveragents/protocol";
import { a2aError, toA2aError } from "../a2a/a2a-errors.ts";
import { cardFacts } from "../a2a/card-facts.ts";
import { signatureWords } from "../a2a/card-signature.ts";
import { cardText } from "../a2a/card-text.ts";
import { credentialsFor } from "../a2a/credentials.ts";
import { fetchExtendedCard } from "../a2a/extended-card.ts";
import { type ResolvedCard, resolveCard } from "../a2a/resolve-card.ts";
import type { Command, Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

/** The card of any A2A agent; stdout gets it as it came. */
export const command: Command = {
  async run(invocation) {
    const { options, output } = invocation;
    const signal = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    let found: ResolvedCard;
    let remarks: Awaited<ReturnType<typeof judge>>;
    try {
      found = await fetchCard(invocation, signal);
      remarks = await judge(found, invocation);
    } catch (error) {
      throw toA2aError(error, signal);
    }
    await output.result(found.card, {
      text: (card) => cardText(card, { url: found.place, ...remarks }),
      names: (card) => [cardFacts(card).name],
    });
    if (remarks.valid !== undefined && output.format !== "text") {
      output.note(`valid: ${remarks.valid.map((version) => `A2A ${version}`).join(", ")}`);
      output.note(`signature: ${remarks.signature}`);
    }
    if (remarks.signature.startsWith("not checked: no key"))
      output.warn("the card is signed, and nothing says that the signature holds");
    return EXIT.OK;
  },
};

async function fetchCard({ context, values }: Invocation, signal: AbortSignal): Promise<ResolvedCard> {
  const reference =
    values.optionalPositional("AGENT") ?? values.text("agent-card") ?? context.env["A2ACLI_AGENT_CARD"];
  if (reference === undefined || reference === "")
    throw a2aError("USAGE", "AGENT is missing", { hint: "agents a2a card get https://agents.example" });
  const version = values.text("a2a-version") ?? "1.0";
  const found = await resolveCard(reference, { version, signal }, context);
  if (!values.isSet("extended")) return found;
  const facts = cardFacts(found.card);
  const sent = credentialsFor(facts, values, context.env);
  const { card, url } = await fetchExtendedCard(facts, { sent, signal }, context);
  return { card, place: url, url };
}

async function judge({ card, url }: ResolvedCard, { context, values }: Invocation) {
  const keyFile = values.text("key");
  if (!values.isSet("validate") && keyFile === undefined) {
    const signature = cardFacts(card).isSigned ? "not checked: --validate checks it" : "none";
    return { signature, valid: undefined };
  }
  const { versions, problems } = checkAgentCard(card);
  if (versions.length === 0)
    throw a2aError("CARD_INVALID", "this is no agent card: it has neither supportedInterfaces nor url");
  if (problems.length > 0)
    throw a2aError("CARD_INVALID", "the card does not hold to its schema:", {
      lines: problems.map(({ version, path, message }) => `A2A ${version}: ${path}: ${message}`),
    });
  return { signature: await signatureWords(card, { keyFile, url }, context), valid: versions };
}
