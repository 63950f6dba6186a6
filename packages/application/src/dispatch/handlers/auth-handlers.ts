import type { ApiKey } from "../../ports/api-key-store.ts";
import type { ApiKeyService } from "../../services/api-key-service.ts";
import { badToken } from "../../services/page-token.ts";
import { compact } from "../../wire/message.ts";
import { iso } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type AuthMethod =
  | "_cleveragents/auth/key/create"
  | "_cleveragents/auth/key/list"
  | "_cleveragents/auth/key/revoke";

export function authHandlers(service: ApiKeyService | undefined): HandlersOf<AuthMethod> {
  const keys = () => wired(service, "auth");
  return {
    async "_cleveragents/auth/key/create"(params, { principal }) {
      const { key, made } = await keys().create(principal, {
        name: params.name,
        principal: params.principal,
        scopes: params.scopes,
        tenants: params.tenants,
        expiresInDays: params.expires_in_days,
      });
      return { ...item(made), key };
    },
    async "_cleveragents/auth/key/list"(params) {
      const all = await keys().list();
      const size = params.page_size ?? 100;
      const token = params.page_token ?? "";
      const at = token === "" ? 0 : all.findIndex(({ keyId }) => keyId === token) + 1;
      if (token !== "" && at === 0) throw badToken("page_token");
      const page = all.slice(at, at + size);
      return {
        keys: page.map(item),
        total: all.length,
        next_page_token: at + size < all.length ? (page.at(-1)?.keyId ?? "") : "",
      };
    },
    async "_cleveragents/auth/key/revoke"(params) {
      return item(await keys().revoke(params.key_id));
    },
  };
}

function item({ keyId, name, principal, scopes, tenants, createdAt, expiresAt, revokedAt }: ApiKey) {
  return {
    key_id: keyId,
    name,
    principal,
    scopes: [...scopes],
    tenants: [...tenants],
    created_at: iso(createdAt),
    ...compact({
      expires_at: expiresAt === undefined ? undefined : iso(expiresAt),
      revoked_at: revokedAt === undefined ? undefined : iso(revokedAt),
    }),
  };
}
