import { ActionDetailSchema, EntryRevisionParamsSchema } from "../schemas/registry.ts";
import { defineMethod } from "./define-method.ts";

/** What is special about actions; they are registered like everything else. */
export const actionMethods = {
  "_cleveragents/registry/action/archive": defineMethod({
    name: "_cleveragents/registry/action/archive",
    group: "registry",
    family: "cleveragents",
    kind: "unary",
    params: EntryRevisionParamsSchema,
    result: ActionDetailSchema,
    errors: ["InvalidParams", "EntryNotFound", "InvalidState", "Forbidden"],
    scope: "registry:write",
    summary: "Let no more plans be made of an action; those that exist go on.",
  }),
} as const;
