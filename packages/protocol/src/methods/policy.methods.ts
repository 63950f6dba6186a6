import { PolicyExplainParamsSchema, PolicyExplainResultSchema } from "../schemas/policy.ts";
import { defineMethod } from "./define-method.ts";

export const policyMethods = {
  "_cleveragents/policy/explain": defineMethod({
    name: "_cleveragents/policy/explain",
    group: "policy",
    family: "cleveragents",
    kind: "unary",
    params: PolicyExplainParamsSchema,
    result: PolicyExplainResultSchema,
    errors: ["InvalidParams", "Forbidden"],
    scope: "registry:read",
    summary: "What a command is made of, and whether it would run, be asked about or be denied.",
  }),
} as const;
