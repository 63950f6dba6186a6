import { ActorTestParamsSchema, ActorTestResultSchema } from "../schemas/model.ts";
import { UsageShowParamsSchema, UsageShowResultSchema } from "../schemas/usage.ts";
import { defineMethod } from "./define-method.ts";

/** What models can do, and what they have used. */
export const modelMethods = {
  "_cleveragents/registry/actor/test": defineMethod({
    name: "_cleveragents/registry/actor/test",
    group: "registry",
    family: "cleveragents",
    kind: "unary",
    params: ActorTestParamsSchema,
    result: ActorTestResultSchema,
    errors: ["InvalidParams", "EntryNotFound", "Forbidden"],
    scope: "registry:write",
    summary: "Ask an actor's model a few short questions, and say what it can and cannot do.",
  }),
  "_cleveragents/usage/show": defineMethod({
    name: "_cleveragents/usage/show",
    group: "usage",
    family: "cleveragents",
    kind: "unary",
    params: UsageShowParamsSchema,
    result: UsageShowResultSchema,
    errors: ["InvalidParams", "PlanNotFound", "SessionNotFound", "Forbidden"],
    scope: "task:read",
    summary: "Tokens and cost of models, by model and by plan or message.",
  }),
} as const;
