import { DiagnosticsRunParamsSchema, DiagnosticsRunResultSchema } from "../schemas/diagnostics.ts";
import { defineMethod } from "./define-method.ts";

export const diagnosticsMethods = {
  "_cleveragents/diagnostics/run": defineMethod({
    name: "_cleveragents/diagnostics/run",
    group: "health",
    family: "cleveragents",
    kind: "unary",
    params: DiagnosticsRunParamsSchema,
    result: DiagnosticsRunResultSchema,
    errors: ["InvalidParams", "Forbidden"],
    scope: "health:read",
    summary: "Look at everything that plans need: stores, machine, programs, keys, permissions.",
    aliases: ["diagnostics.run"],
  }),
} as const;
