import {
  type Authenticator,
  type CallContext,
  type Credentials,
  type DispatchAnswer,
  type Dispatcher,
  failure,
  type JsonRpcRequest,
  type Principal,
  ProtocolError,
  parseMessage,
  SCOPES,
  type Scope,
  success,
  toErrorObject,
} from "@cleveragents/protocol";
import { LocalTokens } from "./local-tokens.ts";

/** A call of somebody else's, whom a front has let in. */
export const ACT_AS = "$/as";
/** Who comes with this key. */
export const AUTHENTICATE = "$/authenticate";

export interface ServeFrontsDeps {
  readonly dispatcher: Dispatcher;
  /** The discovery file's: whoever can read that file may speak for others. */
  readonly token: string;
  /** Knows callers by the keys that were made here. */
  readonly keys: Authenticator;
}

/**
 * The dispatcher for the owner's socket: what comes there is the local user's, but a server in front of it asks who its
 * own callers are, and hands on their calls in their names.
 */
export function withFronts({ dispatcher, token, keys }: ServeFrontsDeps): Dispatcher {
  const fronts = new LocalTokens(token);
  return {
    async dispatch(message, context) {
      const parsed =
        typeof message === "string" || message instanceof Uint8Array ? parseMessage(message) : message;
      const request = parsed.kind === "call" ? parsed.request : undefined;
      const { id } = request ?? {};
      if (request === undefined || id === undefined) return dispatcher.dispatch(parsed, context);
      if (request.method !== ACT_AS && request.method !== AUTHENTICATE)
        return dispatcher.dispatch(parsed, context);
      const params = (request.params ?? {}) as Readonly<Record<string, unknown>>; // looked at below
      const given = typeof params["token"] === "string" ? params["token"] : "";
      if ((await fronts.authenticate({ authorization: `Bearer ${given}` })) === undefined)
        // A front whose owner has just been replaced asks again, with the new one's token.
        return refusal(request, new ProtocolError("AuthenticationUnavailable"));
      if (request.method === AUTHENTICATE) {
        const principal = await keys.authenticate(textsOf(params["credentials"]));
        const response = success(id, { principal: principal ?? null });
        return { kind: "one", response, serviceParameters: {} };
      }
      const acting = readActing(request, context);
      if (acting === undefined) return refusal(request, new ProtocolError("InvalidParams"));
      return dispatcher.dispatch({ kind: "call", request: acting.request }, acting.context);
    },
  };
}

function readActing(
  { id, params, a2a }: JsonRpcRequest,
  context: CallContext,
): { readonly request: JsonRpcRequest; readonly context: CallContext } | undefined {
  const { principal, request } = params as { principal?: unknown; request?: unknown };
  const known = principalOf(principal);
  const { method, params: inner } = (request ?? {}) as { method?: unknown; params?: object };
  if (known === undefined || typeof method !== "string") return undefined;
  return {
    request: {
      jsonrpc: "2.0",
      ...(id === undefined ? {} : { id }),
      method,
      ...(inner === undefined ? {} : { params: inner }),
      ...(a2a === undefined ? {} : { a2a }),
    },
    context: { ...context, principal: known },
  };
}

/** A principal as a front writes it. Scopes that this version does not know are none. */
function principalOf(given: unknown): Principal | undefined {
  const { id, scopes, tenants } = (given ?? {}) as { id?: unknown; scopes?: unknown; tenants?: unknown };
  if (typeof id !== "string" || id === "" || !isTexts(scopes)) return undefined;
  if (tenants !== undefined && !isTexts(tenants)) return undefined;
  const known = SCOPES.filter((scope: Scope) => scopes.includes(scope));
  return { id, scopes: known, ...(tenants === undefined ? {} : { tenants }) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function textsOf(value: unknown): Credentials {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter(([, text]) => typeof text === "string"));
}

function refusal({ id = null }: JsonRpcRequest, error: ProtocolError): DispatchAnswer {
  const context = { family: "a2a", requestId: String(id), timestamp: new Date().toISOString() } as const;
  return { kind: "one", response: failure(id, toErrorObject(error, context)), serviceParameters: {} };
}
