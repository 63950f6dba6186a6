import { CliError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import type { Credential } from "./credential.ts";
import { type CredentialContext, credentialFile, putCredential, readCredentials } from "./credential-file.ts";

/** Renewed so long before its end, since it has a way to go. */
const EARLY_MS = 60_000;

export interface TokenRequest {
  readonly address: string;
  /** What signs in anew. */
  readonly login: string;
  /** Of a client that has one; it is not kept. */
  readonly clientSecret?: string | undefined;
}

type TokenContext = CredentialContext & Pick<CliContext, "fetch" | "now">;
type Oauth = Extract<Credential, { kind: "oauth" }>;

/**
 * The token that is kept for an address, renewed where that is due and can be done; undefined where none is kept. Throws
 * TOKEN_EXPIRED with what to do.
 */
export async function tokenFor(context: TokenContext, request: TokenRequest): Promise<string | undefined> {
  const kept = (await readCredentials(context))[request.address];
  const due = dueOf(kept, context);
  if (due === undefined) return tokenIn(kept);
  try {
    return await context.exclusively(credentialFile(context), () => renewed(context, request));
  } catch (error) {
    // Renewed early: what there is still holds, whatever keeps the next one away.
    if (endOf(due) > context.now()) return due.access_token;
    throw error;
  }
}

/** Alone with the file: an issuer that rotates refresh tokens ends a sign-in whose token comes twice. */
async function renewed(
  context: TokenContext,
  { address, login, clientSecret }: TokenRequest,
): Promise<string | undefined> {
  const kept = (await readCredentials(context))[address];
  // Another command was quicker, or has signed out.
  const due = dueOf(kept, context);
  if (due === undefined) return tokenIn(kept);
  const { renew } = await import("../oauth/renew.ts");
  let fresh: Oauth | undefined;
  try {
    fresh = await renew(due, clientSecret, context);
  } catch (error) {
    if (error instanceof CliError && error.exitCode === EXIT.UNREACHABLE) throw error;
    throw expired(address, login, error);
  }
  if (fresh === undefined) throw expired(address, login);
  await putCredential(context, address, fresh);
  return fresh.access_token;
}

/** The credential, where it is time to renew it. */
function dueOf(kept: Credential | undefined, { now }: Pick<CliContext, "now">): Oauth | undefined {
  return kept?.kind === "oauth" && endOf(kept) - EARLY_MS <= now() ? kept : undefined;
}

/** Unknown where the issuer does not say: then it holds until somebody refuses it. */
function endOf({ expires_at }: Oauth): number {
  return expires_at ?? Number.POSITIVE_INFINITY;
}

function tokenIn(kept: Credential | undefined): string | undefined {
  return kept?.kind === "oauth" ? kept.access_token : kept?.token;
}

function expired(address: string, login: string, cause?: unknown): CliError {
  return new CliError("TOKEN_EXPIRED", `the sign-in at ${address} has expired`, {
    cause,
    hint: `sign in again: ${login}`,
    exitCode: EXIT.AUTHENTICATION,
  });
}
