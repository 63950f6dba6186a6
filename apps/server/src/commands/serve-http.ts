import type { Logger } from "@cleveragents/application";
import { AnyAuthenticator, StaticTokenAuthenticator } from "@cleveragents/infrastructure/auth";
import {
  type Authenticator,
  buildAgentCard,
  type Dispatcher,
  LOCAL_PRINCIPAL,
  SCOPES,
} from "@cleveragents/protocol";
import { createHttpServer, type HttpServer } from "@cleveragents/transport-http/server";
import { type Config, ConfigError } from "../config.ts";
import { PRODUCT_VERSION } from "../version.ts";

/** How many ports above the default are tried when it is taken and nobody asked for that one. */
const PORTS_TO_TRY = 100;

export interface ServeHttpOptions {
  readonly config: Config;
  readonly dispatcher: Dispatcher;
  /** The local user's token; undefined when no credential is asked for. */
  readonly token: string;
  readonly ready: () => Promise<{
    readonly ready: boolean;
    readonly checks: Readonly<Record<string, unknown>>;
  }>;
  readonly logger: Logger;
}

export interface ListeningServer {
  readonly server: HttpServer;
  readonly url: string;
  /** The port that was wanted, when another one had to be taken. */
  readonly insteadOf: number | undefined;
}

/** Serves the dispatcher over HTTP. Throws {@link ConfigError} when the port that was asked for is taken. */
export async function serveHttp(options: ServeHttpOptions): Promise<ListeningServer> {
  const { config, dispatcher, ready, logger } = options;
  const authenticator = config.auth ? authenticatorOf(options.token, config.apiKey) : undefined;
  let url = "";
  const server = createHttpServer({
    dispatcher,
    authenticator,
    card: () =>
      buildAgentCard({
        version: PRODUCT_VERSION,
        url: `${config.publicUrl ?? url}/a2a`,
        schemes: authenticator?.schemes ?? [],
        retentionSeconds: 30 * 24 * 3600,
      }),
    probes: { service: "cleveragents", version: PRODUCT_VERSION, ready },
    allowedHosts: config.publicUrl === undefined ? [] : [new URL(config.publicUrl).hostname],
    logger,
  });
  const listening = await listen(server, config);
  url = listening.url;
  return {
    server,
    url,
    insteadOf: listening.port === config.port || config.port === 0 ? undefined : config.port,
  };
}

async function listen(server: HttpServer, config: Config): Promise<{ url: string; port: number }> {
  for (let port = config.port; ; port++) {
    try {
      return await server.listen({ host: config.host, port });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EACCES")
        throw new ConfigError(
          `port ${port} needs more rights than this user has: choose one above 1023 with --port`,
        );
      if (code === "EADDRNOTAVAIL")
        throw new ConfigError(`${config.host} is not an address of this machine: choose another --host`);
      if (code !== "EADDRINUSE") throw error;
      if (config.portGiven || port >= config.port + PORTS_TO_TRY || port >= 65_535) {
        throw new ConfigError(
          `port ${port} is taken by another program: choose another one with --port, or stop that program`,
        );
      }
    }
  }
}

/** The discovery file's token is the local user; API_KEY is a bootstrap key for everybody else's first steps. */
function authenticatorOf(token: string, apiKey: string | undefined): Authenticator {
  const local = new StaticTokenAuthenticator({ tokens: [{ token, principal: LOCAL_PRINCIPAL }] });
  if (apiKey === undefined) return local;
  const bootstrap = new StaticTokenAuthenticator({
    tokens: [{ token: apiKey, principal: { id: "api-key", scopes: SCOPES } }],
  });
  return new AnyAuthenticator([local, bootstrap]);
}
