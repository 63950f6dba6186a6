import { PlanCreateParamsSchema, PlanCreateResultSchema } from "../schemas/plan-create.ts";
import { defineMethod } from "./define-method.ts";

export const planCreateMethods = {
  "_cleveragents/plan/create": defineMethod({
    name: "_cleveragents/plan/create",
    group: "plan",
    family: "cleveragents",
    kind: "unary",
    params: PlanCreateParamsSchema,
    result: PlanCreateResultSchema,
    errors: [
      "InvalidParams",
      "AlreadyExists",
      "EntryNotFound",
      "NotAvailable",
      "WorkspaceUnusable",
      "SessionNotFound",
      "Forbidden",
    ],
    scope: "task:write",
    summary: "Make a plan of steps that come with the request.",
  }),
} as const;
