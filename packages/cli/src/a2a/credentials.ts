import { a2aError } from "./a2a-errors.ts";
import type { CardFacts } from "./card-facts.ts";
import type { Settings } from "./settings.ts";

/** How a credential is sent. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * What was given by flag or setting, else what is kept of a sign-in, sent as the card declares it (A2A §7.3); a credential is
 * sent in no other way. A flag that no scheme of the card takes is a mistake; a setting is there for other agents too.
 */
export async function credentialsFor(
  facts: CardFacts,
  settings: Pick<Settings, "credential" | "find">,
  signedIn: () => Promise<string | undefined>,
): Promise<Sent> {
  const takesBearer = facts.schemes.find(({ kind }) => kind === "bearer");
  const takesKey = facts.schemes.find(({ kind }) => kind === "apiKey");
  const none = { headers: {}, query: {} };
  if (takesBearer === undefined && takesKey?.place === undefined && !facts.needsCredential) {
    refuseFlags(facts, settings);
    return none;
  }
  const bearer = settings.credential("bearer");
  if (bearer !== undefined && takesBearer !== undefined)
    return { headers: { authorization: `Bearer ${bearer.value}` }, query: {} };
  const apiKey = settings.credential("api-key");
  if (apiKey !== undefined && takesKey?.place !== undefined) return keyIn(takesKey.place, apiKey.value);
  refuseFlags(facts, settings);
  const token = takesBearer === undefined ? undefined : await signedIn();
  if (token !== undefined) return { headers: { authorization: `Bearer ${token}` }, query: {} };
  if (facts.needsCredential)
    throw a2aError("CREDENTIALS_MISSING", "this agent asks for a credential", {
      hint: hintOf(facts, settings.find("agent-card")?.value ?? "AGENT"),
    });
  return none;
}

function refuseFlags({ schemes }: CardFacts, settings: Pick<Settings, "find">): void {
  if (["bearer" as const, "api-key" as const].some((name) => settings.find(name)?.origin === "flag"))
    throw a2aError("USAGE", "the card declares no scheme that takes this credential", {
      hint: `it declares: ${schemes.map(({ words }) => words).join(", ") || "none"}`,
    });
}

function keyIn({ location, name }: { readonly location: string; readonly name: string }, key: string): Sent {
  if (location === "query") return { headers: {}, query: { [name]: key } };
  if (location === "cookie") return { headers: { cookie: `${name}=${key}` }, query: {} };
  return { headers: { [name]: key }, query: {} };
}

function hintOf({ schemes }: CardFacts, reference: string): string {
  const ways = [
    ...(schemes.some(({ words }) => /^(OAuth|OpenID)/.test(words))
      ? [`sign in with agents a2a auth login ${reference}`]
      : []),
    ...(schemes.some(({ kind }) => kind === "bearer") ? ["give --bearer TOKEN (A2ACLI_BEARER)"] : []),
    ...(schemes.some(({ kind }) => kind === "apiKey") ? ["give --api-key KEY (A2ACLI_API_KEY)"] : []),
  ];
  if (ways.length > 0) return ways.join(", or ");
  return `it declares what this command does not do: ${schemes.map(({ words }) => words).join(", ")}`;
}
