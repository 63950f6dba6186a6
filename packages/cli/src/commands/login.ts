import { CliError, usageError } from "../cli-error.ts";
import type { Command, Invocation } from "../command/command.ts";
import { askSecret, secretIn } from "../command/secret.ts";
import { addressOf, endpointOf, isSameServer } from "../connect/endpoint.ts";
import { probeServer } from "../connect/probe-server.ts";
import { type Credential, credentialWords, expiryOf } from "../credentials/credential.ts";
import { credentialFile, keepCredential, readCredentials } from "../credentials/credential-file.ts";
import { EXIT } from "../exit-codes.ts";
import { declaredOauth } from "../oauth/declared-oauth.ts";
import { fields } from "../output/words.ts";

export const command: Command = {
  async run(invocation) {
    const { context, options, values, output } = invocation;
    const server = values.optionalPositional("URL") ?? options.server;
    if (server === undefined) throw usageError("which server?", "agents login https://agents.example");
    const endpoint = endpointOf(server);
    const address = addressOf(endpoint);
    // What cannot be written later is found out before anybody types a secret.
    await readCredentials(context);
    const { card } = await probeServer(invocation, endpoint, undefined);
    const credential = await obtained(invocation, card);
    const token = credential.kind === "token" ? credential.token : credential.access_token;
    const { access, version } = await probeServer(invocation, endpoint, token);
    if (access === "refused")
      throw new CliError("AUTHENTICATION_REQUIRED", `${address} does not know this ${wordOf(credential)}`, {
        hint: "nothing was kept; keys are made there: agents auth key create NAME",
        exitCode: EXIT.AUTHENTICATION,
      });
    await keepCredential(context, endpoint.href, credential);
    const result = {
      server: address,
      access,
      credential: credential.kind,
      expires_at: expiryOf(credential) ?? null,
      file: credentialFile(context),
    };
    await output.result(result, {
      text: () =>
        fields([
          ["Signed in", `${address}${version === undefined ? "" : ` (version ${version})`}`],
          ["With", credentialWords(credential)],
          ["Until", result.expires_at ?? undefined],
          ["Kept in", result.file],
        ]),
      names: () => [address],
    });
    if (access === "limited")
      output.note("This key may not look at the server's health; what else it may, its scopes say");
    const url = context.env["CLEVERAGENTS_SERVER_URL"];
    if (url === undefined || url === "" || !isSameServer(url, server))
      output.note(
        `agents server connect ${address} has all commands speak to it; --server ${address} only one`,
      );
    if ((context.env["CLEVERAGENTS_SERVER_TOKEN"] ?? "") !== "")
      output.warn(
        "CLEVERAGENTS_SERVER_TOKEN, or server.token in your configuration, stands over this sign-in",
      );
    return EXIT.OK;
  },
};

async function obtained(invocation: Invocation, card: object): Promise<Credential> {
  const { context, values } = invocation;
  const given = await secretIn(invocation, "token-file");
  if (given !== undefined) return { kind: "token", token: given };
  const hasOauth = declaredOauth(card).length > 0;
  const wantsOauth = ["flow", "client-id", "client-secret-file"].some((flag) => values.isSet(flag));
  if (wantsOauth) {
    const { obtain } = await import("../oauth/obtain.ts");
    return obtain(invocation, { card, clientId: undefined, clientSecret: undefined, fetch: context.fetch });
  }
  const typed = await askSecret(invocation, "Token or API key");
  if (typed !== undefined) return { kind: "token", token: typed };
  throw usageError(
    "nobody can be asked for a token here",
    `--token-file FILE, - for stdin${hasOauth ? "; or sign in with --client-id ID" : ""}`,
  );
}

function wordOf(credential: Credential): string {
  return credential.kind === "token" ? "token or key" : "sign-in";
}
