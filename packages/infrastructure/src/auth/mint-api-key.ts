import { randomBytes } from "node:crypto";
import type { Principal } from "@cleveragents/protocol";
import type { ApiKeyRecord } from "./api-key-authenticator.ts";
import { digestOf } from "./secret-digest.ts";

export interface MintedApiKey {
  /** Shown once, kept nowhere: `cak_<id>_<secret>`. */
  readonly key: string;
  readonly record: ApiKeyRecord;
}

/** Makes a key whose id part is public, for lists and logs, and whose secret has 256 bits. */
export function mintApiKey(principal: Principal, expiresAt?: number): MintedApiKey {
  const id = randomBytes(8).toString("hex");
  const key = `cak_${id}_${randomBytes(32).toString("base64url")}`;
  return {
    key,
    record: { id, digest: digestOf(key), principal, ...(expiresAt === undefined ? {} : { expiresAt }) },
  };
}
