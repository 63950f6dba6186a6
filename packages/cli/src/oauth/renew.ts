import * as oauth from "oauth4webapi";
import type { CliContext } from "../context.ts";
import type { Credential } from "../credentials/credential.ts";
import { assertSafe } from "./issuer.ts";
import { credentialOf, issuerFailure, oauthClient } from "./oauth-client.ts";

/** Others wait meanwhile. */
const TIMEOUT_MS = 30_000;

type Kept = Extract<Credential, { kind: "oauth" }>;

/** A fresh token in the place of one that ends; undefined where nothing renews it. Throws what the issuer says. */
export async function renew(
  kept: Kept,
  clientSecret: string | undefined,
  context: Pick<CliContext, "fetch" | "now">,
): Promise<Kept | undefined> {
  const { refresh_token: refresh, flow, scope } = kept;
  if (refresh === undefined && (flow !== "client-credentials" || clientSecret === undefined))
    return undefined;
  const issuer = assertSafe(kept.token_endpoint);
  const server = { issuer: issuer.origin, token_endpoint: kept.token_endpoint };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const client = oauthClient({ server, clientId: kept.client_id, clientSecret, signal }, context);
  try {
    const fresh =
      refresh === undefined
        ? await oauth.processClientCredentialsResponse(
            server,
            client.client,
            await oauth.clientCredentialsGrantRequest(
              server,
              client.client,
              client.auth,
              new URLSearchParams(scope === undefined ? {} : { scope }),
              client.options,
            ),
          )
        : await oauth.processRefreshTokenResponse(
            server,
            client.client,
            await withoutIdToken(
              await oauth.refreshTokenGrantRequest(
                server,
                client.client,
                client.auth,
                refresh,
                client.options,
              ),
            ),
          );
    // An issuer that does not rotate refresh tokens names none.
    return {
      ...(refresh !== undefined && { refresh_token: refresh }),
      ...credentialOf(fresh, client, flow, context.now()),
    };
  } catch (error) {
    throw await issuerFailure(error, client);
  }
}

/** Who the user is, is nothing to this command: what it is not asked to judge, it does not read. */
export async function withoutIdToken(response: Response): Promise<Response> {
  const json = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { id_token?: unknown } | undefined;
  if (json?.id_token === undefined) return response;
  const { id_token: _, ...rest } = json;
  return new Response(JSON.stringify(rest), { status: response.status, headers: response.headers });
}
