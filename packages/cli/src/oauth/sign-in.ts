import * as oauth from "oauth4webapi";
import { CliError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import type { Credential } from "../credentials/credential.ts";
import { EXIT } from "../exit-codes.ts";
import type { Flow } from "./declared-oauth.ts";
import type { Issuer } from "./issuer.ts";
import { credentialOf, issuerFailure, type OauthClient, oauthClient } from "./oauth-client.ts";
import { withoutIdToken } from "./renew.ts";

export interface SignInRequest {
  readonly issuer: Issuer;
  readonly flow: Flow;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scope: string | undefined;
  /** Tells the user what to do. */
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

type Context = Pick<CliContext, "fetch" | "now" | "loopback">;

/** Gets a token in one of the ways of OAuth 2.1. Throws what the issuer says, or that nobody has signed in. */
export async function signIn(
  request: SignInRequest,
  context: Context,
): Promise<Extract<Credential, { kind: "oauth" }>> {
  const { issuer, flow, clientId, clientSecret, signal } = request;
  const client = oauthClient({ server: issuer.server, clientId, clientSecret, signal }, context);
  try {
    const answer = await WAYS[flow](client, request, context);
    return credentialOf(answer, client, flow, context.now());
  } catch (error) {
    if (signal.aborted)
      throw new CliError("INTERRUPTED", "nobody has signed in", { cause: error, exitCode: EXIT.INTERRUPTED });
    throw await issuerFailure(error, client);
  }
}

type Way = (
  client: OauthClient,
  request: SignInRequest,
  context: Context,
) => Promise<oauth.TokenEndpointResponse>;

const WAYS: Readonly<Record<Flow, Way>> = {
  "client-credentials": clientCredentials,
  device,
  "authorization-code": async (...given) => {
    const { authorizationCode } = await import("./authorization-code.ts");
    return authorizationCode(...given);
  },
};

async function clientCredentials(
  { server, client, auth, options }: OauthClient,
  request: SignInRequest,
): Promise<oauth.TokenEndpointResponse> {
  const { scope } = request;
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    auth,
    new URLSearchParams(scope === undefined ? {} : { scope }),
    options,
  );
  return oauth.processClientCredentialsResponse(server, client, response);
}

/** RFC 8628: the user signs in wherever they have a browser, and this command asks again and again. */
async function device(
  { server, client, auth, options }: OauthClient,
  { scope, say, signal }: SignInRequest,
  { now }: Context,
): Promise<oauth.TokenEndpointResponse> {
  const given = await oauth.processDeviceAuthorizationResponse(
    server,
    client,
    await oauth.deviceAuthorizationRequest(
      server,
      client,
      auth,
      new URLSearchParams(scope === undefined ? {} : { scope }),
      options,
    ),
  );
  say(`Open ${given.verification_uri} in a browser, and enter the code ${given.user_code}`);
  if (given.verification_uri_complete !== undefined) say(`or open ${given.verification_uri_complete}`);
  const end = now() + given.expires_in * 1000;
  for (let seconds = given.interval ?? 5; now() < end; ) {
    await pause(seconds * 1000, signal);
    try {
      const response = await oauth.deviceCodeGrantRequest(server, client, auth, given.device_code, options);
      return await oauth.processDeviceCodeResponse(server, client, await withoutIdToken(response));
    } catch (error) {
      if (!(error instanceof oauth.ResponseBodyError)) throw error;
      if (error.error === "slow_down") seconds += 5;
      else if (error.error !== "authorization_pending") throw error;
    }
  }
  throw new CliError("OAUTH_REFUSED", "nobody has signed in before the code ran out", {
    hint: "run the command again",
    exitCode: EXIT.AUTHENTICATION,
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
