import type { McpServer } from "@cleveragents/domain";
import type { AuthProvider, OAuthClientProvider, Transport } from "@modelcontextprotocol/client";
import { limitedFetch } from "./limited-fetch.ts";
import { McpError } from "./mcp-error.ts";

type Sdk = typeof import("@modelcontextprotocol/client");
type Environment = Readonly<Record<string, string | undefined>>;

/** Makes the line to a server over HTTP. Throws `McpError` where a secret that it needs is not in the environment. */
export function httpTransport(
  sdk: Sdk,
  server: McpServer,
  env: Environment,
  kind: "http" | "sse",
  authFor: ((server: McpServer) => AuthProvider) | undefined,
): Transport {
  const url = new URL(server.url as string); // the schema sees to it
  const options = {
    requestInit: { headers: headersOf(server, env) },
    fetch: limitedFetch(server.max_message_bytes),
    ...authOf(sdk, server, env, authFor),
  };
  // A cast, because the SDK's own classes do not fit its interface under exactOptionalPropertyTypes.
  return (
    kind === "http"
      ? new sdk.StreamableHTTPClientTransport(url, options)
      : new sdk.SSEClientTransport(url, options)
  ) as Transport;
}

/** What of a server's secrets has to be kept out of what is told. */
export function secretVariables(server: McpServer): readonly string[] {
  const { oauth } = server;
  const ofOauth = [
    oauth === undefined ? undefined : "token_env" in oauth ? oauth.token_env : oauth.client_secret_env,
  ].flatMap((name) => name ?? []);
  return [...server.env_from, ...Object.values(server.headers_from), ...ofOauth];
}

function headersOf(server: McpServer, env: Environment): Record<string, string> {
  const secret = Object.entries(server.headers_from).map(([header, name]) => [
    header,
    secretOf(server, env, name),
  ]);
  return { ...server.headers, ...Object.fromEntries(secret) };
}

function authOf(
  sdk: Sdk,
  server: McpServer,
  env: Environment,
  authFor: ((server: McpServer) => AuthProvider) | undefined,
): { readonly authProvider?: AuthProvider | OAuthClientProvider } {
  const { oauth } = server;
  if (oauth === undefined) return {};
  if ("login" in oauth) {
    if (authFor === undefined)
      throw new McpError(
        "MCP_AUTHENTICATION",
        server.name,
        "it wants a user to log in, which is not kept here",
      );
    return { authProvider: authFor(server) };
  }
  if ("token_env" in oauth) {
    const token = secretOf(server, env, oauth.token_env);
    return { authProvider: { token: async () => token } };
  }
  const { client_id: clientId, client_secret_env, scope, issuer } = oauth;
  const clientSecret = secretOf(server, env, client_secret_env);
  return {
    authProvider: new sdk.ClientCredentialsProvider({
      clientId,
      clientSecret,
      expectedIssuer: issuer,
      ...(scope === undefined ? {} : { scope }),
    }),
  };
}

function secretOf(server: McpServer, env: Environment, name: string): string {
  const value = env[name];
  if (value === undefined || value === "")
    throw new McpError(
      "MCP_AUTHENTICATION",
      server.name,
      `the variable ${name} is not set in the agent's environment`,
    );
  return value;
}
