import {
  type Authenticator,
  type ClientTransport,
  type Credentials,
  type JsonRpcRequest,
  LOCAL_PRINCIPAL,
  type Principal,
  ProtocolError,
  RemoteError,
  TransportError,
} from "@cleveragents/protocol";
import { ACT_AS, AUTHENTICATE } from "./serve-fronts.ts";

/** The token that the present owner takes a front by; undefined while there is none. */
export type FrontToken = () => Promise<string | undefined>;

/**
 * The owner as one of a front's callers sees it. The local user's calls go as they are; anybody else's are handed on in
 * his name, so that an owner that does not know how refuses them instead of taking them for the local user's.
 */
export function ownerFor(owner: ClientTransport, principal: Principal, token: FrontToken): ClientTransport {
  // Not by its name: a key may have been made for that, with less than the local user may do.
  if (principal === LOCAL_PRINCIPAL) return owner;
  const wrap = async ({ jsonrpc, id, a2a, ...request }: JsonRpcRequest): Promise<JsonRpcRequest> => ({
    jsonrpc,
    ...(id === undefined ? {} : { id }),
    method: ACT_AS,
    params: { token: await known(token), principal, request },
    ...(a2a === undefined ? {} : { a2a }),
  });
  return {
    async request(request, options) {
      return owner.request(await wrap(request), options);
    },
    async *stream(request, options) {
      yield* owner.stream(await wrap(request), options);
    },
    [Symbol.asyncDispose]: () => owner[Symbol.asyncDispose](),
  };
}

/** Keys that only the owner knows. Throws `AuthenticationUnavailable` while there is none to be asked. */
export class OwnersKeys implements Authenticator {
  readonly schemes = ["bearer", "apiKey"] as const;
  readonly #owner: ClientTransport;
  readonly #token: FrontToken;
  readonly #nextId: () => number;

  constructor(owner: ClientTransport, token: FrontToken, nextId: () => number) {
    this.#owner = owner;
    this.#token = token;
    this.#nextId = nextId;
  }

  async authenticate(credentials: Credentials): Promise<Principal | undefined> {
    const { authorization, "x-api-key": key } = credentials;
    // Nothing but a key is worth a question.
    if (!/\bcak_/.test(`${authorization} ${key}`)) return undefined;
    try {
      const token = await known(this.#token);
      const params = { token, credentials: { authorization, "x-api-key": key } };
      const request = { jsonrpc: "2.0", id: this.#nextId(), method: AUTHENTICATE, params } as const;
      const answer = await this.#owner.request(request, { serviceParameters: {} });
      if ("error" in answer) throw new RemoteError(answer.error);
      return (answer.result as { readonly principal: Principal | null }).principal ?? undefined;
    } catch (cause) {
      throw new ProtocolError("AuthenticationUnavailable", { cause });
    }
  }
}

async function known(token: FrontToken): Promise<string> {
  const present = await token();
  if (present !== undefined) return present;
  throw new TransportError("NOT_CONNECTED", "the data directory has no owner at the moment");
}
