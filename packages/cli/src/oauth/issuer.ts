import type { AuthorizationServer } from "oauth4webapi";
import { CliError, usageError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { type DeclaredOauth, FLOWS, type Flow } from "./declared-oauth.ts";

/** Who gives out tokens, and in which ways. */
export interface Issuer {
  readonly server: AuthorizationServer;
  readonly flows: readonly Flow[];
  readonly scopes: readonly string[];
}

const MAX_LENGTH = 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** What a card declares, completed by the metadata that it names. Throws where that cannot be had or trusted. */
export async function findIssuer(
  declared: DeclaredOauth,
  { fetch }: Pick<CliContext, "fetch">,
): Promise<Issuer> {
  const { metadataUrl, scopes } = declared;
  const found = metadataUrl === undefined ? {} : await metadataAt(metadataUrl, fetch);
  const token = declared.tokenUrl ?? found.token_endpoint;
  const device = declared.deviceUrl ?? found.device_authorization_endpoint;
  const authorization = declared.authorizationUrl ?? found.authorization_endpoint;
  if (token === undefined) throw refused("the card does not say where tokens are had");
  const endpoints = [token, device, authorization].filter((url) => url !== undefined);
  for (const url of endpoints) assertSafe(url);
  const grants = found.grant_types_supported ?? [];
  const flows = FLOWS.filter((flow) => {
    if (declared.flows.length > 0) return declared.flows.includes(flow);
    if (flow === "device") return device !== undefined;
    if (flow === "authorization-code") return authorization !== undefined;
    return grants.includes("client_credentials");
  });
  return {
    flows,
    scopes,
    server: {
      ...found,
      issuer: found.issuer ?? new URL(token).origin,
      token_endpoint: token,
      ...(device !== undefined && { device_authorization_endpoint: device }),
      ...(authorization !== undefined && { authorization_endpoint: authorization }),
    },
  };
}

/** Secrets go there: never in the open, except to this machine. */
export function assertSafe(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))))
    return url;
  throw refused(`${address} is no https address, and tokens go nowhere else`);
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

async function metadataAt(address: string, send: typeof fetch): Promise<Partial<AuthorizationServer>> {
  const url = assertSafe(address);
  let text: string;
  try {
    const response = await send(url, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) throw refused(`${address} answered ${response.status}`);
    text = await response.text();
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError("ISSUER_UNREACHABLE", `cannot reach ${url.origin}, where tokens are had`, {
      cause,
      hint: "that is the address in the agent's card; try again later, or give a token: --token-file",
      exitCode: EXIT.UNREACHABLE,
    });
  }
  const json = text.length > MAX_LENGTH ? undefined : parse(text);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw refused(`${address} is no description of who gives out tokens`);
  const texts = Object.entries(json).filter(([, value]) => typeof value === "string" || Array.isArray(value));
  return Object.fromEntries(texts) as Partial<AuthorizationServer>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(message: string): CliError {
  return new CliError("OAUTH_UNUSABLE", message, { exitCode: EXIT.AUTHENTICATION });
}

/** The way to go: what was asked for if it is offered, else the first that needs no secret, else the other one. */
export function chooseFlow(
  { flows }: Pick<Issuer, "flows">,
  asked: Flow | undefined,
  hasSecret: boolean,
): Flow {
  if (asked !== undefined) {
    if (flows.includes(asked)) return asked;
    throw usageError(`this agent does not offer ${asked}`, `it offers ${flows.join(", ") || "none"}`);
  }
  if (hasSecret && flows.includes("client-credentials")) return "client-credentials";
  const flow = flows.find((one) => one !== "client-credentials") ?? flows[0];
  if (flow !== undefined) return flow;
  throw refused(
    "the agent declares no way to sign in that this command knows (device, authorization code, client credentials)",
  );
}
