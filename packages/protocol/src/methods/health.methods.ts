import { HealthCheckParamsSchema, HealthCheckResultSchema } from "../schemas/health.ts";
import { defineMethod } from "./define-method.ts";

export const healthMethods = {
  "_cleveragents/health/check": defineMethod({
    name: "_cleveragents/health/check",
    group: "health",
    family: "cleveragents",
    kind: "unary",
    params: HealthCheckParamsSchema,
    result: HealthCheckResultSchema,
    errors: ["InvalidParams", "Forbidden"],
    scope: "health:read",
    summary: "Whether the agent can work: store, engine, workspace.",
    aliases: ["_cleveragents/health"],
  }),
} as const;
