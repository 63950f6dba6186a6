import { checkAgentCard } from "@cleveragents/protocol";
import { type A2aRun, a2aCommand } from "../a2a/a2a-command.ts";
import { a2aError } from "../a2a/a2a-errors.ts";
import { cardFacts } from "../a2a/card-facts.ts";
import { signatureWords } from "../a2a/card-signature.ts";
import { cardText } from "../a2a/card-text.ts";
import { fetchExtendedCard } from "../a2a/extended-card.ts";
import { type ResolvedCard, resolveCard } from "../a2a/resolve-card.ts";

/** The card of any A2A agent; stdout gets it as it came. */
export const command = a2aCommand(async (run) => {
  const found = await fetchCard(run);
  const remarks = await judge(found, run);
  const { output } = run;
  await run.emit(found.card, {
    text: (card) => cardText(card, { url: found.place, ...remarks }),
    names: (card) => [cardFacts(card).name],
  });
  if (remarks.valid !== undefined && output.format !== "text") {
    output.note(`valid: ${remarks.valid.map((version) => `A2A ${version}`).join(", ")}`);
    output.note(`signature: ${remarks.signature}`);
  }
  if (remarks.signature.startsWith("not checked: no key"))
    output.warn("the card is signed, and nothing says that the signature holds");
});

async function fetchCard(run: A2aRun): Promise<ResolvedCard> {
  const { settings, values, fetch } = run;
  const reference = settings.text("agent-card");
  if (reference === undefined)
    throw a2aError("USAGE", "AGENT is missing", { hint: "agents a2a card get https://agents.example" });
  const version = settings.text("a2a-version") ?? "1.0";
  const signal = run.soon();
  const found = await resolveCard(reference, { version, signal }, { fetch, readFile: run.context.readFile });
  if (!values.isSet("extended")) return found;
  const facts = cardFacts(found.card);
  const sent = await run.credentials(facts, found.place);
  const { card, url } = await fetchExtendedCard(facts, { sent, signal }, { fetch });
  return { card, place: url, url };
}

async function judge({ card, url }: ResolvedCard, { context, values, fetch }: A2aRun) {
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
  return {
    signature: await signatureWords(card, { keyFile, url }, { fetch, readFile: context.readFile }),
    valid: versions,
  };
}
