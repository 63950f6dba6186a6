import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import {
  RemoteCredentialSchema,
  RemoteLimitsSchema,
  RemoteShowsSchema,
  RemoteUrlSchema,
} from "./remote-access-schema.ts";

const Key = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a key of the graph's state");

/** What says which graph it is, and how it is spoken to; the same in an actor and in a node. */
export const REMOTE_GRAPH_FIELDS = {
  /** The LangGraph server. */
  url: RemoteUrlSchema,
  /** The graph, or one of its assistants. */
  graph_id: z.string().min(1).max(200),
  credential: RemoteCredentialSchema.optional(),
  limits: RemoteLimitsSchema.default(RemoteLimitsSchema.parse({})),
  /** The key of the state that takes what is said, as a text; `messages` takes it as a message. */
  input_key: Key.default("messages"),
  /** The key whose value is the answer; of `messages` it is the last one. */
  output_key: Key.default("messages"),
} as const;

/** The YAML of an actor of type `remote_graph`: a graph on a LangGraph server. */
export const RemoteGraphActorSchema = z.strictObject({
  name: NameSchema,
  type: z.literal("remote_graph"),
  description: z.string().min(1),
  version: z.string().optional(),
  ...REMOTE_GRAPH_FIELDS,
  shows: RemoteShowsSchema.optional(),
});
export type RemoteGraphActor = z.output<typeof RemoteGraphActorSchema>;
