import {
  ConsentSchema,
  TrustListParamsSchema,
  TrustListResultSchema,
  TrustParamsSchema,
  TrustRemoveResultSchema,
} from "../schemas/trust.ts";
import { defineMethod } from "./define-method.ts";

export const trustMethods = {
  "_cleveragents/trust/list": defineMethod({
    name: "_cleveragents/trust/list",
    group: "trust",
    family: "cleveragents",
    kind: "unary",
    params: TrustListParamsSchema,
    result: TrustListResultSchema,
    errors: ["InvalidParams", "Forbidden"],
    scope: "registry:read",
    summary: "What may be started, by whose consent, and what has asked in vain.",
  }),
  "_cleveragents/trust/add": defineMethod({
    name: "_cleveragents/trust/add",
    group: "trust",
    family: "cleveragents",
    kind: "unary",
    params: TrustParamsSchema,
    result: ConsentSchema,
    errors: ["InvalidParams", "EntryNotFound", "Forbidden"],
    scope: "trust:write",
    summary: "Consent to something being started exactly as it is.",
  }),
  "_cleveragents/trust/remove": defineMethod({
    name: "_cleveragents/trust/remove",
    group: "trust",
    family: "cleveragents",
    kind: "unary",
    params: TrustParamsSchema,
    result: TrustRemoveResultSchema,
    errors: ["InvalidParams", "EntryNotFound", "Forbidden"],
    scope: "trust:write",
    summary: "End consent; what runs already goes on.",
  }),
} as const;
