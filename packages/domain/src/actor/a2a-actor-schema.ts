import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import {
  RemoteCredentialSchema,
  RemoteLimitsSchema,
  RemoteShowsSchema,
  RemoteUrlSchema,
} from "./remote-access-schema.ts";

/** The YAML of an actor of type `a2a`: another agent, which speaks A2A. */
export const A2aActorSchema = z.strictObject({
  name: NameSchema,
  type: z.literal("a2a"),
  description: z.string().min(1),
  version: z.string().optional(),
  /** The address of its card, or the one that its card is found below. */
  card: RemoteUrlSchema,
  /** The version of A2A that is spoken; the newest that its card offers when absent. */
  protocol: z.enum(["1.0", "0.3"]).optional(),
  credential: RemoteCredentialSchema.optional(),
  limits: RemoteLimitsSchema.default(RemoteLimitsSchema.parse({})),
  shows: RemoteShowsSchema.optional(),
  /** Whether an artifact that is text and has a name is a file of that name, too. */
  named_artifacts_are_files: z.boolean().default(false),
});
export type A2aActor = z.output<typeof A2aActorSchema>;
