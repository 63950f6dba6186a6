import { CliError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import type { Credential } from "./credential.ts";
import { type CredentialContext, keepCredential, readCredentials } from "./credential-file.ts";

/** Renewed so long before its end, since it has a way to go. */
const EARLY_MS = 60_000;

export interface TokenRequest {
  readonly address: string;
  /** What signs in anew. */
  readonly login: string;
  /** Of a client that has one; it is not kept. */
  readonly clientSecret?: string | undefined;
}

/**
 * The token that is kept for an address, renewed where that is due and can be done; undefined where none is kept. Throws
 * TOKEN_EXPIRED with what to do.
 */
export async function tokenFor(
  context: CredentialContext & Pick<CliContext, "fetch" | "now">,
  request: TokenRequest,
): Promise<string | undefined> {
  const credential = (await readCredentials(context))[request.address];
  if (credential === undefined) return undefined;
  if (credential.kind === "token") return credential.token;
  const { expires_at } = credential;
  if (expires_at === undefined || expires_at - EARLY_MS > context.now()) return credential.access_token;
  return renewed(context, credential, request);
}

async function renewed(
  context: CredentialContext & Pick<CliContext, "fetch" | "now">,
  credential: Extract<Credential, { kind: "oauth" }>,
  { address, login, clientSecret }: TokenRequest,
): Promise<string> {
  const { renew } = await import("../oauth/renew.ts");
  try {
    const fresh = await renew(credential, clientSecret, context);
    if (fresh !== undefined) {
      await keepCredential(context, address, fresh);
      return fresh.access_token;
    }
  } catch (error) {
    if (error instanceof CliError && error.exitCode === EXIT.UNREACHABLE) throw error;
    throw expired(address, login, error);
  }
  // Near its end, and nothing renews it: as long as it holds.
  if ((credential.expires_at ?? 0) > context.now()) return credential.access_token;
  throw expired(address, login);
}

function expired(address: string, login: string, cause?: unknown): CliError {
  return new CliError("TOKEN_EXPIRED", `the sign-in at ${address} has expired`, {
    cause,
    hint: `sign in again: ${login}`,
    exitCode: EXIT.AUTHENTICATION,
  });
}
