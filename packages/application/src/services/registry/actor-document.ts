import {
  A2aActorSchema,
  LlmActorSchema,
  RemoteGraphActorSchema,
  ScriptActorSchema,
  ToolActorSchema,
} from "@cleveragents/domain";
import { z } from "zod";
import { CheckedGraphActorSchema } from "./graph-document.ts";

/** The YAML of an actor, by its `type`; each type brings its own schema. */
export const ActorDocumentSchema = z.discriminatedUnion("type", [
  ScriptActorSchema,
  LlmActorSchema,
  A2aActorSchema,
  RemoteGraphActorSchema,
  ToolActorSchema,
  CheckedGraphActorSchema,
]);
