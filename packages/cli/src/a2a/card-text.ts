import { fields } from "../output/words.ts";
import { cardFacts } from "./card-facts.ts";

export interface CardRemarks {
  readonly url: string;
  readonly signature: string;
  /** Versions of A2A whose schema the card holds to; undefined where that was not looked at. */
  readonly valid: readonly string[] | undefined;
}

/** A card for people: one `Label: value` a line, as the a2a-cli specification has it. */
export function cardText(card: object, { url, signature, valid }: CardRemarks): string {
  const facts = cardFacts(card);
  const list = (values: readonly string[], none: string) => (values.length === 0 ? none : values.join(", "));
  return fields([
    ["Name", facts.name],
    ["Version", facts.version],
    ["Description", oneLine(facts.description)],
    ["Provider", facts.provider],
    ["Documentation", facts.documentation],
    ["Card", url],
    ["Valid", valid?.map((version) => `A2A ${version}`).join(", ")],
    ["Signature", signature],
    ...facts.interfaces.map(
      ({ binding, version, url: at, tenant }) =>
        [
          "Interface",
          `${binding} ${version} ${at}${tenant === undefined ? "" : ` (tenant ${tenant})`}`,
        ] as const,
    ),
    ["Capabilities", list(facts.capabilities, "none")],
    ...facts.extensions.map((uri) => ["Extension", uri] as const),
    ...facts.schemes.map(({ name, words }) => ["Security", `${name}: ${words}`] as const),
    ["Credential", facts.needsCredential ? "needed" : "not needed"],
    ["Input", list(facts.inputModes, "")],
    ["Output", list(facts.outputModes, "")],
    ...facts.skills.map(({ id, description }) => ["Skill", `${id}: ${oneLine(description)}`] as const),
  ]);
}

function oneLine(text: string | undefined): string {
  return (text ?? "").replace(/\s+/g, " ").trim();
}
