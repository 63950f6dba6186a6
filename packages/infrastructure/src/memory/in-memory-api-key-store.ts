import type { ApiKey, ApiKeyStore } from "@cleveragents/application";

/** API keys of one process, gone with it. */
export class InMemoryApiKeyStore implements ApiKeyStore {
  readonly #keys = new Map<string, ApiKey>();

  async add(key: ApiKey): Promise<void> {
    this.#keys.set(key.keyId, structuredClone(key));
  }

  async find(keyId: string): Promise<ApiKey | undefined> {
    return structuredClone(this.#keys.get(keyId));
  }

  async list(): Promise<readonly ApiKey[]> {
    return [...this.#keys.values()]
      .sort((a, b) => b.createdAt - a.createdAt || (a.keyId < b.keyId ? 1 : -1))
      .map((key) => structuredClone(key));
  }

  async revoke(keyId: string, at: number): Promise<ApiKey | undefined> {
    const key = this.#keys.get(keyId);
    if (key !== undefined && key.revokedAt === undefined) this.#keys.set(keyId, { ...key, revokedAt: at });
    return this.find(keyId);
  }
}
