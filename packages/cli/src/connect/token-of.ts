import type { CliContext } from "../context.ts";
import type { CredentialContext } from "../credentials/credential-file.ts";
import { addressOf, endpointOf, isSameServer } from "./endpoint.ts";

/**
 * With which token a server is spoken to: that of the environment or the configuration, unless it belongs to another server
 * that stands there, else the one of the sign-in, which was for this server. Throws TOKEN_EXPIRED.
 */
export async function tokenOf(
  context: CredentialContext & Pick<CliContext, "fetch" | "now">,
  server: string,
): Promise<string | undefined> {
  const { env } = context;
  const set = env["CLEVERAGENTS_SERVER_TOKEN"];
  const url = env["CLEVERAGENTS_SERVER_URL"];
  const isOthers = url !== undefined && url !== "" && !isSameServer(url, server);
  if (set !== undefined && set !== "" && !isOthers) return set;
  const endpoint = endpointOf(server);
  const { tokenFor } = await import("../credentials/token-for.ts");
  return tokenFor(context, { address: endpoint.href, login: `agents login ${addressOf(endpoint)}` });
}
