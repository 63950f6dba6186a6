import { AgentCardSchema } from "../schemas/agent-card.ts";
import { canonicalJson } from "./canonical-json.ts";

/**
 * What a signature of a card is over (A2A §8.4.1): its 1.0 members without the signatures and without defaults, in
 * canonical JSON. `lenient` is how the A2A SDKs read the same section: whatever is empty is gone, at every depth, also
 * what is required; a card that means the same under both has the same text. Throws a `ZodError` for what is no card.
 */
export function canonicalAgentCard(card: unknown, reading: "strict" | "lenient" = "strict"): string {
  const { signatures: _, ...signed } = AgentCardSchema.parse(card);
  return canonicalJson(reading === "strict" ? signed : (withoutEmpty(signed) ?? {}));
}

function withoutEmpty(value: unknown): unknown {
  if (value === "" || value === null) return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const kept = value.map(withoutEmpty).filter((element) => element !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const left = withoutEmpty(member);
    return left === undefined ? [] : [[name, left] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
