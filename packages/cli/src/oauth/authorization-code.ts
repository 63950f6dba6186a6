import * as oauth from "oauth4webapi";
import type { CliContext } from "../context.ts";
import type { OauthClient } from "./oauth-client.ts";
import { withoutIdToken } from "./renew.ts";
import type { SignInRequest } from "./sign-in.ts";

/** RFC 8252 with PKCE: a browser on this machine comes back to a port of ours. */
export async function authorizationCode(
  { server, client, auth, options }: OauthClient,
  { scope, say, signal }: SignInRequest,
  { loopback }: Pick<CliContext, "loopback">,
): Promise<oauth.TokenEndpointResponse> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const back = await loopback(0);
  try {
    const url = new URL(server.authorization_endpoint ?? "");
    const query = {
      client_id: client.client_id,
      redirect_uri: back.url,
      response_type: "code",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      ...(scope !== undefined && { scope }),
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const returned = back.returned(state);
    say(`Open ${url.href} in a browser on this machine`);
    const answer = oauth.validateAuthResponse(
      server,
      client,
      await Promise.race([returned, aborted(signal)]),
      state,
    );
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      answer,
      back.url,
      verifier,
      options,
    );
    return await oauth.processAuthorizationCodeResponse(server, client, await withoutIdToken(response));
  } finally {
    await back.close();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
