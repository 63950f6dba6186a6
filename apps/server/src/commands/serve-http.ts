import type { Logger } from "@cleveragents/application";
import {
  AnyAuthenticator,
  JwtAuthenticator,
  StaticTokenAuthenticator,
} from "@cleveragents/infrastructure/auth";
import { SystemClock } from "@cleveragents/infrastructure/clock";
import {
  type A2aVersion,
  type Authenticator,
  buildOpenRpc,
  type CardConfig,
  type Dispatcher,
  describePlatform,
  OPENRPC_PATH,
  SCOPES,
  SPECIFICATION_PATH,
} from "@cleveragents/protocol";
import { createHttpServer, type HttpServer } from "@cleveragents/transport-http/server";
import { RETENTION_SECONDS } from "../assemble-agent.ts";
import { type Config, ConfigError, isLoopback } from "../config.ts";
import { PRODUCT_VERSION } from "../version.ts";
import { cardSignerOf, PublicCard } from "./public-card.ts";

/** How many ports above the default are tried when it is taken and nobody asked for that one. */
const PORTS_TO_TRY = 100;

/** What the card names beside the agent. */
const DOCUMENTS = {
  [OPENRPC_PATH]: {
    type: "application/json; charset=utf-8",
    text: () => JSON.stringify(buildOpenRpc({ version: PRODUCT_VERSION })),
  },
  [SPECIFICATION_PATH]: { type: "text/markdown; charset=utf-8", text: describePlatform },
};

export interface ServeHttpOptions {
  readonly config: Config;
  readonly dispatcher: Dispatcher;
  /** Knows the local user. */
  readonly local: Authenticator;
  /** Knows the callers by their keys. */
  readonly keys?: Authenticator | undefined;
  /** Told what the card says once the address is known; answers with what it is to say. */
  readonly describe?: ((card: CardConfig) => CardConfig) | undefined;
  readonly versions?: readonly A2aVersion[] | undefined;
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
  const { config, dispatcher, ready, logger, describe = (card) => card } = options;
  const { publicUrl } = config;
  const authenticator = config.auth ? authenticatorOf(options) : undefined;
  const card = new PublicCard(await cardSignerOf(config.card.signing));
  const server = createHttpServer({
    dispatcher,
    authenticator,
    // What the operator says about the address stands over what proxies say.
    card: (base) => card.at(publicUrl === undefined ? base : undefined),
    trustedProxies: config.trustedProxies,
    versions: options.versions,
    documents: DOCUMENTS,
    probes: { service: "cleveragents", version: PRODUCT_VERSION, ready },
    allowedHosts: publicUrl === undefined ? [] : [new URL(publicUrl).hostname],
    logger,
  });
  const listening = await listen(server, config);
  const { url, port } = listening;
  card.describe(describe(cardConfigOf(config, publicUrl ?? url, authenticator)));
  if (publicUrl === undefined && config.auth && !isLoopback(config.host))
    logger.warn(
      { url },
      "the agent card names this address: set A2A_PUBLIC_URL if others reach it elsewhere",
    );
  return {
    server,
    url,
    insteadOf: port === config.port || config.port === 0 ? undefined : config.port,
  };
}

function cardConfigOf(config: Config, baseUrl: string, authenticator: Authenticator | undefined): CardConfig {
  const { provider, documentationUrl, iconUrl } = config.card;
  return {
    version: PRODUCT_VERSION,
    baseUrl,
    schemes: authenticator?.schemes ?? [],
    openIdConnectUrl: config.jwt?.openIdConnectUrl,
    retentionSeconds: RETENTION_SECONDS,
    provider,
    documentationUrl,
    iconUrl,
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
      if (code === "ENOTFOUND" || code === "EAI_AGAIN")
        throw new ConfigError(`the name ${config.host} cannot be looked up: choose another --host`);
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
function authenticatorOf({ local, keys, config, logger }: ServeHttpOptions): Authenticator {
  const { apiKey, jwt } = config;
  const bootstrap =
    apiKey === undefined
      ? undefined
      : new StaticTokenAuthenticator({
          tokens: [{ token: apiKey, principal: { id: "api-key", scopes: SCOPES } }],
        });
  const tokens =
    jwt === undefined ? undefined : new JwtAuthenticator({ ...jwt, clock: new SystemClock(), logger });
  return new AnyAuthenticator([local, bootstrap, keys, tokens].filter((known) => known !== undefined));
}
