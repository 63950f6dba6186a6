import { z } from "zod";
import { ActorLspSchema } from "../lsp/actor-lsp-schema.ts";
import { LspBindingSchema } from "../lsp/lsp-binding.ts";
import { REMOTE_GRAPH_FIELDS } from "./remote-graph-actor-schema.ts";

/** Where an edge leads that ends the graph. */
export const GRAPH_END = "END";

export const NodeId = z
  .string()
  .regex(
    /^(?!(?:END|START)$)[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    "a node's name begins with a letter and holds letters, digits, - and _; START and END are taken",
  );
const Target = z.string().min(1);
const Variable = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "a name begins with a letter and holds letters, digits and _");
const Text = z.string().min(1);
const Visits = z.number().int().positive().max(1000);
const Format = z.enum(["text", "json"]);

/** What `llm` nodes are told, on the graph for all of them, or on one. */
export const MODEL_FIELDS = {
  provider: Text.optional(),
  model: Text.optional(),
  system_prompt: Text.optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().gt(0).max(1).optional(),
  max_tokens: z.number().int().min(16).optional(),
  tools: z
    .array(z.string().regex(/^[A-Za-z0-9_*?/.:-]+$/, "a tool's name, in which * and ? stand for others"))
    .optional(),
  limits: z
    .strictObject({
      turns: z.number().int().positive().max(1000).optional(),
      mistakes: z.number().int().positive().max(20).optional(),
      context: z.number().int().min(512).optional(),
      tool_result: z.number().int().min(200).max(1_000_000).optional(),
      code_context: z.number().int().min(200).max(100_000).optional(),
    })
    .optional(),
  compact: z.boolean().optional(),
  lsp: ActorLspSchema.optional(),
} as const;

const reference = {
  actor: Text.optional(),
  actor_ref: Text.optional(),
  actor_path: Text.optional(),
} as const;
const answer = { output: Variable.optional(), format: Format.optional() } as const;

/** Required where they are known to be all that the node says. */
const REMOTE = {
  url: REMOTE_GRAPH_FIELDS.url.optional(),
  graph_id: REMOTE_GRAPH_FIELDS.graph_id.optional(),
  credential: REMOTE_GRAPH_FIELDS.credential,
  limits: REMOTE_GRAPH_FIELDS.limits.unwrap().optional(),
  input_key: REMOTE_GRAPH_FIELDS.input_key.unwrap().optional(),
  output_key: REMOTE_GRAPH_FIELDS.output_key.unwrap().optional(),
} as const;

const FIELDS = {
  llm: {
    ...MODEL_FIELDS,
    /** The documents' name of `lsp` in a node. */
    lsp_binding: LspBindingSchema.optional(),
    ...answer,
    prompt: Text.optional(),
    /** It hands in what the graph is asked for: a strategy, or what its role says where it looks on. */
    submit: z.boolean().optional(),
    /** The same, for a strategy. */
    submit_strategy: z.boolean().optional(),
  },
  agent: {
    ...reference,
    ...answer,
    prompt: Text.optional(),
    input: z.record(z.string(), z.json()).optional(),
  },
  subgraph: reference,
  tool: {
    tool: z
      .string()
      .regex(/^[^\s{}]{1,256}$/, "the name of a tool")
      .optional(),
    arguments: z.record(z.string(), z.json()).optional(),
    output: Variable.optional(),
    /** What a failed call does: stops the plan, or leaves it to the edges. */
    on_error: z.enum(["stop", "continue"]).optional(),
  },
  conditional: {
    conditions: z.array(z.strictObject({ check: Text, route_to: Target })).optional(),
    default: Target.optional(),
  },
  remote_graph: {
    ...answer,
    prompt: Text.optional(),
    input: z.record(z.string(), z.json()).optional(),
    ...REMOTE,
  },
  ask: {
    question: Text.optional(),
    options: z.array(Text).max(20).optional(),
    output: Variable.optional(),
  },
} as const;

type NodeKind = keyof typeof FIELDS;

/** Fields stand in the node itself or, as some write it, below `config`. */
function nodeOf<K extends NodeKind>(kind: K, words: readonly [K | "human", ...(K | "human")[]] = [kind]) {
  return z.strictObject({
    type: z.enum(words),
    id: NodeId.optional(),
    description: z.string().optional(),
    /** How often the graph may come by. */
    max_visits: Visits.optional(),
    ...FIELDS[kind],
    config: z.strictObject(FIELDS[kind]).optional(),
  });
}

export const WrittenNodeSchema = z.discriminatedUnion("type", [
  nodeOf("llm"),
  nodeOf("agent"),
  nodeOf("subgraph"),
  nodeOf("tool"),
  nodeOf("conditional"),
  nodeOf("remote_graph"),
  nodeOf("ask", ["ask", "human"]),
]);
export type WrittenNode = z.output<typeof WrittenNodeSchema>;

export const WrittenEdgeSchema = z.strictObject({
  from: z.union([Target, z.array(Target).min(1)]).optional(),
  source: Target.optional(),
  to: z.union([Target, z.array(Target).min(1)]).optional(),
  target: Target.optional(),
  when: Text.optional(),
  condition: Text.optional(),
});
export type WrittenEdge = z.output<typeof WrittenEdgeSchema>;
