import { randomBytes } from "node:crypto";
import type { MintKey } from "@cleveragents/application";
import { digestOf } from "./secret-digest.ts";

/** Makes a key whose id part is public, for lists and logs, and whose secret has 256 bits: `cak_<id>_<secret>`. */
export const mintApiKey: MintKey = () => {
  const keyId = randomBytes(8).toString("hex");
  const key = `cak_${keyId}_${randomBytes(32).toString("base64url")}`;
  return { keyId, key, digest: digestOf(key) };
};
