import { LlmActorSchema, ScriptActorSchema } from "@cleveragents/domain";
import { z } from "zod";

/** The YAML of an actor, by its `type`; each type brings its own schema. */
export const ActorDocumentSchema = z.discriminatedUnion("type", [ScriptActorSchema, LlmActorSchema]);
