import * as oauth from "oauth4webapi";
import { CliError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import type { Credential } from "../credentials/credential.ts";
import { EXIT } from "../exit-codes.ts";
import type { Flow } from "./declared-oauth.ts";

/** Who asks an issuer for tokens. */
export interface OauthClient {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly auth: oauth.ClientAuth;
  readonly options: oauth.HttpRequestOptions<"POST", URLSearchParams>;
}

export interface OauthClientRequest {
  readonly server: oauth.AuthorizationServer;
  readonly clientId: string;
  /** A client without one is public, as those of people are. */
  readonly clientSecret: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export function oauthClient(
  { server, clientId, clientSecret, signal }: OauthClientRequest,
  { fetch }: Pick<CliContext, "fetch">,
): OauthClient {
  const methods = server.token_endpoint_auth_methods_supported;
  const inBody = methods !== undefined && !methods.includes("client_secret_basic");
  const auth =
    clientSecret === undefined
      ? oauth.None()
      : (inBody ? oauth.ClientSecretPost : oauth.ClientSecretBasic)(clientSecret);
  return {
    server,
    client: { client_id: clientId },
    auth,
    options: {
      // Which addresses may be plain HTTP was decided when they were found.
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<"POST", URLSearchParams>) =>
        fetch(url, { ...init, redirect: "error" } as RequestInit),
      ...(signal !== undefined && { signal }),
    } as oauth.HttpRequestOptions<"POST", URLSearchParams>,
  };
}

/** What an issuer answered, as it is kept. */
export function credentialOf(
  answer: oauth.TokenEndpointResponse,
  { server, client }: Pick<OauthClient, "server" | "client">,
  flow: Flow,
  now: number,
): Extract<Credential, { kind: "oauth" }> {
  if (answer.token_type !== "bearer")
    throw new CliError(
      "OAUTH_UNUSABLE",
      `the token is of the type ${answer.token_type}, and agents take bearer`,
      {
        exitCode: EXIT.AUTHENTICATION,
      },
    );
  return {
    kind: "oauth",
    flow,
    access_token: answer.access_token,
    ...(answer.refresh_token !== undefined && { refresh_token: answer.refresh_token }),
    ...(answer.expires_in !== undefined && { expires_at: now + answer.expires_in * 1000 }),
    token_endpoint: server.token_endpoint ?? "",
    client_id: client.client_id,
    ...(answer.scope !== undefined && { scope: answer.scope }),
  };
}

/** A refusal or a failure of an issuer, in words; answers never carry secrets there. */
export async function issuerFailure(
  error: unknown,
  { server }: Pick<OauthClient, "server">,
): Promise<unknown> {
  if (error instanceof CliError) return error;
  const who = new URL(server.token_endpoint ?? server.issuer).origin;
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    const why = error.error_description ?? WORDS[error.error] ?? error.error;
    return new CliError("OAUTH_REFUSED", `${who} gave no token: ${why}`, {
      cause: error,
      hint: HINTS[error.error],
      exitCode: EXIT.AUTHENTICATION,
    });
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return new CliError("OAUTH_REFUSED", `${who} does not know this client, or its secret is wrong`, {
      cause: error,
      hint: HINTS["invalid_client"],
      exitCode: EXIT.AUTHENTICATION,
    });
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
    return new CliError(
      "OAUTH_UNUSABLE",
      `${who} answered with something that is no token: ${error.message}`,
      {
        cause: error,
        exitCode: EXIT.AUTHENTICATION,
      },
    );
  if (error instanceof DOMException && error.name === "AbortError") return error;
  return new CliError("ISSUER_UNREACHABLE", `cannot reach ${who}, where tokens are had`, {
    cause: error,
    exitCode: EXIT.UNREACHABLE,
  });
}

const WORDS: Readonly<Record<string, string>> = {
  access_denied: "you have said no",
  expired_token: "nobody has signed in before the code ran out",
  invalid_client: "it does not know this client, or its secret is wrong",
  invalid_grant: "the sign-in is not good any more",
  invalid_scope: "it does not know what was asked for",
  unauthorized_client: "this client may not sign in that way",
};
const HINTS: Readonly<Record<string, string>> = {
  invalid_client: "--client-id is what the issuer calls this command; its secret: --client-secret-file",
  invalid_scope: "--scope names what is asked for",
  unauthorized_client: "--flow chooses another way",
  expired_token: "run the command again",
};
