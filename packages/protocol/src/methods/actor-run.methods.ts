import { ActorRunParamsSchema, ActorRunResultSchema } from "../schemas/actor-run.ts";
import { defineMethod } from "./define-method.ts";

/** Actors on their own. */
export const actorRunMethods = {
  "_cleveragents/registry/actor/run": defineMethod({
    name: "_cleveragents/registry/actor/run",
    group: "registry",
    family: "cleveragents",
    kind: "unary",
    params: ActorRunParamsSchema,
    result: ActorRunResultSchema,
    errors: ["InvalidParams", "EntryNotFound", "TaskNotFound", "InvalidState", "Forbidden"],
    scope: "task:write",
    summary: "Say something to an actor once, in no session, and wait for what it answers.",
  }),
} as const;
