import type { Values } from "../command/values.ts";
import type { CliContext } from "../context.ts";
import { a2aError } from "./a2a-errors.ts";
import type { CardFacts } from "./card-facts.ts";

/** How a credential is sent. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * What was given by flag or environment, sent as the card declares it (A2A §7.3); a credential is sent in no other way.
 */
export function credentialsFor(facts: CardFacts, values: Values, env: CliContext["env"]): Sent {
  const bearer = values.text("bearer") ?? given(env["A2ACLI_BEARER"]);
  const apiKey = values.text("api-key") ?? given(env["A2ACLI_API_KEY"]);
  const takesBearer = facts.schemes.find(({ kind }) => kind === "bearer");
  const takesKey = facts.schemes.find(({ kind }) => kind === "apiKey");
  if (bearer !== undefined && takesBearer !== undefined)
    return { headers: { authorization: `Bearer ${bearer}` }, query: {} };
  if (apiKey !== undefined && takesKey?.place !== undefined) return keyIn(takesKey.place, apiKey);
  if (bearer !== undefined || apiKey !== undefined)
    throw a2aError("USAGE", "the card declares no scheme that takes this credential", {
      hint: `it declares: ${facts.schemes.map(({ words }) => words).join(", ") || "none"}`,
    });
  if (facts.needsCredential)
    throw a2aError("CREDENTIALS_MISSING", "this agent asks for a credential", { hint: hintOf(facts) });
  return { headers: {}, query: {} };
}

function keyIn({ location, name }: { readonly location: string; readonly name: string }, key: string): Sent {
  if (location === "query") return { headers: {}, query: { [name]: key } };
  if (location === "cookie") return { headers: { cookie: `${name}=${key}` }, query: {} };
  return { headers: { [name]: key }, query: {} };
}

function hintOf({ schemes }: CardFacts): string {
  const ways = [
    ...(schemes.some(({ kind }) => kind === "bearer") ? ["--bearer TOKEN (A2ACLI_BEARER)"] : []),
    ...(schemes.some(({ kind }) => kind === "apiKey") ? ["--api-key KEY (A2ACLI_API_KEY)"] : []),
  ];
  if (ways.length > 0) return `give ${ways.join(" or ")}`;
  return `it declares what this command does not do: ${schemes.map(({ words }) => words).join(", ")}`;
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
