import { type FakeCliOptions, Refusal } from "./fake-cli.ts";

export const SERVER = "https://agents.example";
export const CONFIG = "/home/me/.cleveragents/config.toml";
export const CREDENTIALS = "/home/me/.cleveragents/credentials.json";
export const UNAUTHENTICATED = new Refusal(-32002, "Authentication is required", {
  reason: "AUTHENTICATION_REQUIRED",
  details: [],
});

const HEALTH = { status: "healthy", version: "1.2.3", service: "cleveragents", timestamp: "t", checks: [] };
const CARD = {
  name: "CleverAgents",
  version: "1.2.3",
  capabilities: { extensions: [{ uri: "urn:cleveragents:extensions:v1" }] },
};

export interface OurServerOptions {
  /** What it answers to whoever comes with a token; else that of a healthy one. */
  readonly health?: unknown;
  readonly card?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Record<string, string>;
}

/** A server of ours at {@link SERVER} that knows one token, `good`. */
export function ourServer({
  health = HEALTH,
  card = {},
  files = {},
  env = {},
}: OurServerOptions = {}): FakeCliOptions & {
  readonly pages: NonNullable<FakeCliOptions["pages"]>;
} {
  let token: string | undefined;
  return {
    files,
    env,
    connect: (request) => {
      token = request.token;
      return undefined;
    },
    calls: {
      "_cleveragents/health/check": () => (token === "good" ? health : UNAUTHENTICATED) as object,
    },
    pages: { [`${SERVER}/.well-known/agent-card.json`]: () => Response.json({ ...CARD, ...card }) },
  };
}

export const kept = (credential: object, address = `${SERVER}/a2a`) => ({
  [CREDENTIALS]: JSON.stringify({ version: 1, credentials: { [address]: credential } }),
});
