import {
  ApiKeyCreateParamsSchema,
  ApiKeyCreateResultSchema,
  ApiKeyItemSchema,
  ApiKeyListParamsSchema,
  ApiKeyListResultSchema,
  ApiKeyRevokeParamsSchema,
} from "../schemas/auth.ts";
import { defineMethod } from "./define-method.ts";

export const authMethods = {
  "_cleveragents/auth/key/create": defineMethod({
    name: "_cleveragents/auth/key/create",
    group: "auth",
    family: "cleveragents",
    kind: "unary",
    params: ApiKeyCreateParamsSchema,
    result: ApiKeyCreateResultSchema,
    errors: ["InvalidParams", "Forbidden"],
    scope: "auth:write",
    summary: "Make an API key; it is shown once.",
  }),
  "_cleveragents/auth/key/list": defineMethod({
    name: "_cleveragents/auth/key/list",
    group: "auth",
    family: "cleveragents",
    kind: "unary",
    params: ApiKeyListParamsSchema,
    result: ApiKeyListResultSchema,
    errors: ["InvalidParams", "Forbidden"],
    scope: "auth:read",
    summary: "The API keys of this server, newest first; never their secrets.",
  }),
  "_cleveragents/auth/key/revoke": defineMethod({
    name: "_cleveragents/auth/key/revoke",
    group: "auth",
    family: "cleveragents",
    kind: "unary",
    params: ApiKeyRevokeParamsSchema,
    result: ApiKeyItemSchema,
    errors: ["InvalidParams", "EntryNotFound", "Forbidden"],
    scope: "auth:write",
    summary: "End an API key at once.",
  }),
} as const;
