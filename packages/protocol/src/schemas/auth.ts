import { z } from "zod";
import { SCOPES } from "../authenticator.ts";
import { IsoTimestampSchema, optional } from "./json.ts";
import { PageParams, pageOf } from "./paging.ts";

const KeyItem = {
  /** Public; it is part of the key. */
  key_id: z.string(),
  name: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  /** Which the key's callers may name. */
  tenants: z.array(z.string()),
  created_at: IsoTimestampSchema,
  expires_at: IsoTimestampSchema.optional(),
  revoked_at: IsoTimestampSchema.optional(),
};

export const ApiKeyItemSchema = z.object(KeyItem);
export const ApiKeyCreateParamsSchema = z.object({
  name: z.string().trim().min(1).max(100),
  /** Whose tasks the key's callers see; a principal of its own by default. */
  principal: optional(z.string().min(1).max(200)),
  /** All that the creator may do, but managing keys, by default. */
  scopes: optional(z.array(z.enum(SCOPES)).min(1)),
  /** Those of the creator by default, so for the operator none. */
  tenants: optional(z.array(z.string().min(1).max(256)).max(100)),
  expires_in_days: optional(z.number().positive().max(3650)),
});
/** `key` is shown here and never again. */
export const ApiKeyCreateResultSchema = z.object({ ...KeyItem, key: z.string() });
export const ApiKeyListParamsSchema = z.object(PageParams);
export const ApiKeyListResultSchema = pageOf("keys", ApiKeyItemSchema);
export const ApiKeyRevokeParamsSchema = z.object({ key_id: z.string().min(1).max(100) });
