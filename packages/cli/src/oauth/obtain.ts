import { usageError } from "../cli-error.ts";
import type { Invocation } from "../command/command.ts";
import { secretIn } from "../command/secret.ts";
import type { Credential } from "../credentials/credential.ts";
import { type DeclaredOauth, declaredOauth, FLOWS } from "./declared-oauth.ts";
import { chooseFlow, findIssuer } from "./issuer.ts";
import { signIn } from "./sign-in.ts";

export interface ObtainRequest {
  readonly card: object;
  /** Where flags may stand in for: variables and files. */
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly fetch: typeof fetch;
}

/** Signs in as an agent's card declares it, with the flags `--flow`, `--client-id`, `--client-secret-file` and `--scope`. */
export async function obtain(
  invocation: Pick<Invocation, "context" | "values">,
  { card, clientId, clientSecret, fetch }: ObtainRequest,
): Promise<Extract<Credential, { kind: "oauth" }>> {
  const { context, values } = invocation;
  const declared = declaredOauth(card);
  const first = declared[0];
  if (first === undefined)
    throw usageError(
      "the agent's card declares neither OAuth nor OpenID Connect",
      "give a token: --token-file",
    );
  const secret = (await secretIn(invocation, "client-secret-file")) ?? clientSecret;
  const asked = FLOWS.find((flow) => flow === values.text("flow"));
  const issuer = await findIssuer(fitting(declared, asked) ?? first, { fetch });
  const flow = chooseFlow(issuer, asked, secret !== undefined);
  const id = values.text("client-id") ?? clientId;
  if (id === undefined)
    throw usageError(
      `--client-id is missing: what ${new URL(issuer.server.token_endpoint ?? "").origin} calls this command`,
      "whoever runs that agent knows it",
    );
  if (flow === "client-credentials" && secret === undefined)
    throw usageError(
      "client-credentials needs the client's secret",
      "--client-secret-file FILE, - for stdin",
    );
  const stop = new AbortController();
  const letGo = context.onInterrupt(() => stop.abort());
  try {
    return await signIn(
      {
        issuer,
        flow,
        clientId: id,
        clientSecret: secret,
        scope: values.text("scope") ?? (issuer.scopes.join(" ") || undefined),
        say: (text) => context.stderr.write(`${text}\n`),
        signal: stop.signal,
      },
      { fetch, now: context.now, loopback: context.loopback },
    );
  } finally {
    letGo();
  }
}

function fitting(declared: readonly DeclaredOauth[], flow: string | undefined): DeclaredOauth | undefined {
  return declared.find(({ flows }) => flows.some((one) => one === flow));
}
