import { type Principal, ProtocolError, SCOPES, type Scope } from "@cleveragents/protocol";
import type { ApiKey, ApiKeyStore, MintKey } from "../ports/api-key-store.ts";
import type { Clock } from "../ports/clock.ts";

const DAY_MS = 24 * 3600 * 1000;

/** Keys for callers over HTTP. Whoever manages keys sees all of them, and hands on no more than he may do himself. */
export class ApiKeyService {
  readonly #keys: ApiKeyStore;
  readonly #mint: MintKey;
  readonly #clock: Clock;

  constructor(deps: { readonly keys: ApiKeyStore; readonly mint: MintKey; readonly clock: Clock }) {
    this.#keys = deps.keys;
    this.#mint = deps.mint;
    this.#clock = deps.clock;
  }

  /** The only time that the key itself is shown. */
  async create(
    creator: Principal,
    request: {
      readonly name: string;
      readonly principal?: string | undefined;
      readonly scopes?: readonly Scope[] | undefined;
      readonly tenants?: readonly string[] | undefined;
      readonly expiresInDays?: number | undefined;
    },
  ): Promise<{ readonly key: string; readonly made: ApiKey }> {
    const scopes =
      request.scopes ?? SCOPES.filter((scope) => !isManaging(scope) && creator.scopes.includes(scope));
    const beyond = scopes.filter((scope) => !creator.scopes.includes(scope));
    if (beyond.length > 0)
      throw new ProtocolError("Forbidden", {
        message: `You cannot hand on what you may not do yourself: ${beyond.join(", ")}`,
        details: { scopes: beyond },
      });
    const tenants = [...new Set(request.tenants ?? creator.tenants ?? [])];
    const foreign = tenants.filter((tenant) => creator.tenants?.includes(tenant) === false);
    if (foreign.length > 0)
      throw new ProtocolError("Forbidden", {
        message: `You cannot hand on tenants that are not yours: ${foreign.join(", ")}`,
        details: { tenants: foreign },
      });
    const { key, keyId, digest } = this.#mint();
    const createdAt = this.#clock.now();
    const made: ApiKey = {
      keyId,
      name: request.name,
      principal: request.principal ?? `key:${keyId}`,
      scopes,
      tenants,
      digest,
      createdAt,
      ...(request.expiresInDays === undefined
        ? {}
        : { expiresAt: createdAt + request.expiresInDays * DAY_MS }),
    };
    await this.#keys.add(made);
    return { key, made };
  }

  list(): Promise<readonly ApiKey[]> {
    return this.#keys.list();
  }

  async revoke(keyId: string): Promise<ApiKey> {
    const revoked = await this.#keys.revoke(keyId, this.#clock.now());
    if (revoked === undefined)
      throw new ProtocolError("EntryNotFound", {
        reason: "KEY_NOT_FOUND",
        message: `No key ${keyId}`,
        hint: "agents auth key list shows the keys",
        details: { key_id: keyId },
      });
    return revoked;
  }
}

/** What nobody is given who was not named it. */
function isManaging(scope: Scope): boolean {
  return scope.startsWith("auth:") || scope.startsWith("trust:");
}
