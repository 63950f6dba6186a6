import type { Scope } from "@cleveragents/protocol";

/** A key that somebody may come in with. Of its secret only the SHA-256 is kept. */
export interface ApiKey {
  /** The public part of the key. */
  readonly keyId: string;
  /** What lists call it. */
  readonly name: string;
  /** Whose tasks and sessions a caller with this key sees. */
  readonly principal: string;
  readonly scopes: readonly Scope[];
  /** Which it may name in a call; empty for none. */
  readonly tenants: readonly string[];
  /** SHA-256 of the whole key, in hexadecimal. */
  readonly digest: string;
  /** Milliseconds, like every time here. */
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

/** Keys of the server. A change is durable when it answers. */
export interface ApiKeyStore {
  add(key: ApiKey): Promise<void>;
  find(keyId: string): Promise<ApiKey | undefined>;
  /** All of them, revoked ones too, newest first. */
  list(): Promise<readonly ApiKey[]>;
  /** Ends a key; one that is revoked already stays as it is. Undefined for an unknown one. */
  revoke(keyId: string, at: number): Promise<ApiKey | undefined>;
}

/** Makes a key; the key itself is shown once and kept nowhere. */
export type MintKey = () => { readonly keyId: string; readonly digest: string; readonly key: string };
