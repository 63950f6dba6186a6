import { z } from "zod";
import { IsoTimestampSchema, JsonObjectSchema, optional } from "./json.ts";
import { PageParams, pageOf } from "./paging.ts";

export const ListParamsSchema = z.object({ namespace: optional(z.string().min(1)), ...PageParams });
export const NameParamsSchema = z.object({ name: z.string().min(1) });
const DocumentSchema = z.string().max(1_000_000);
const FileSchema = optional(z.string().max(1000));
/** As `show` has told it; with another one there now, nothing is changed. */
const RevisionSchema = optional(z.string().min(1).max(200));
/** The text of a YAML or JSON file; `file` is what messages about it say. */
export const AddDocumentParamsSchema = z.object({
  document: DocumentSchema,
  file: FileSchema,
  update: optional(z.boolean()),
});
/** The same of what would start something: `trust` consents to just that, and needs `trust:write`. */
export const AddExecutableParamsSchema = z.object({
  ...AddDocumentParamsSchema.shape,
  trust: optional(z.boolean()),
});
export const UpdateDocumentParamsSchema = z.object({
  /** The one that the document says, when absent. */
  name: optional(z.string().min(1)),
  document: DocumentSchema,
  file: FileSchema,
  revision: RevisionSchema,
});
export const RemoveParamsSchema = z.object({
  name: z.string().min(1),
  revision: RevisionSchema,
  /** With all that is only about it, such as attachments. */
  force: optional(z.boolean()),
});
export const RemoveResultSchema = z.object({
  name: z.string(),
  removed: z.literal(true),
  /** What has gone with it, in words. */
  also_removed: z.array(z.string()),
});

const Times = { created_at: IsoTimestampSchema, updated_at: IsoTimestampSchema };
/** Of what was not registered by anybody, there are no times and no revision. */
const MaybeTimes = { created_at: IsoTimestampSchema.optional(), updated_at: IsoTimestampSchema.optional() };
const SourceSchema = z.enum(["builtin", "custom", "discovered"]);
const Revision = { revision: z.string() };
const MaybeRevision = { revision: z.string().optional() };

export const ActionItemSchema = z.object({
  name: z.string(),
  description: z.string(),
  state: z.enum(["available", "archived"]),
  strategy_actor: z.string().nullable(),
  execution_actor: z.string().nullable(),
  reusable: z.boolean(),
  ...Times,
});
export const ActionDetailSchema = z.object({
  ...ActionItemSchema.shape,
  ...Revision,
  action: JsonObjectSchema,
});
export const ActionListResultSchema = pageOf("actions", ActionItemSchema);

/** A document, or its fields. */
/** An entry by its name; with a revision only if it is that one. */
export const EntryRevisionParamsSchema = z.object({ name: z.string().min(1), revision: RevisionSchema });
export const ProjectAddParamsSchema = z.object({
  document: optional(DocumentSchema),
  file: FileSchema,
  name: optional(z.string().min(1)),
  path: optional(z.string().min(1)),
  description: optional(z.string()),
  automation_profile: optional(z.string().min(1)),
  linked_resources: optional(z.array(z.string().min(1))),
  /** Texts; in a document also with a way to check them. */
  invariants: optional(z.array(z.string().min(1))),
});
/** A document, or the fields that are another; an empty text or list takes one away. */
export const ProjectUpdateParamsSchema = z.object({
  ...ProjectAddParamsSchema.shape,
  automation_profile: optional(z.string()),
  revision: RevisionSchema,
});
export const ProjectItemSchema = z.object({
  name: z.string(),
  path: z.string(),
  description: z.string().optional(),
  automation_profile: z.string().optional(),
  linked_resources: z.array(z.string()).optional(),
  invariants: z.array(z.string()).optional(),
  /** What of it models are told without asking. */
  context_config: JsonObjectSchema.optional(),
  created_at: IsoTimestampSchema,
});
export const ProjectDetailSchema = z.object({
  ...ProjectItemSchema.shape,
  ...Revision,
  project: JsonObjectSchema,
  kind: z.enum(["git", "plain"]),
  branch: z.string().optional(),
  head: z.string().optional(),
  warnings: z.array(z.string()),
  /** What the project describes and nobody has started. */
  resources: z.array(
    z.object({
      type: z.literal("devcontainer-instance"),
      name: z.string(),
      state: z.literal("discovered"),
      path: z.string(),
      title: z.string().optional(),
      unusable: z.string().optional(),
    }),
  ),
});
export const ProjectListResultSchema = pageOf("projects", ProjectItemSchema);

export const ActorItemSchema = z.object({
  name: z.string(),
  type: z.string(),
  description: z.string(),
  source: z.enum(["custom", "action"]),
});
export const ActorDetailSchema = z.object({
  ...ActorItemSchema.shape,
  ...Revision,
  actor: JsonObjectSchema,
});
export const ActorListResultSchema = pageOf("actors", ActorItemSchema);

export const ToolListParamsSchema = z.object({
  ...ListParamsSchema.shape,
  source: optional(z.string().min(1)),
});
export const ToolItemSchema = z.object({
  name: z.string(),
  description: z.string(),
  source: z.string(),
  read_only: z.boolean(),
  writes: z.boolean(),
  idempotent: z.boolean(),
  effect: z.enum(["none", "sandbox", "compensable", "irreversible"]),
});
export const ToolDetailSchema = z.object({
  ...ToolItemSchema.shape,
  ...MaybeTimes,
  ...MaybeRevision,
  /** JSON Schema of its arguments. */
  input_schema: JsonObjectSchema,
  /** The document of a custom one. */
  tool: JsonObjectSchema.optional(),
});
export const ToolListResultSchema = pageOf("tools", ToolItemSchema);

export const SkillItemSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  version: z.string().optional(),
  source: SourceSchema,
  tools: z.array(z.string()),
  includes: z.array(z.string()),
  mcp_servers: z.array(z.string()),
  builtins: z.array(z.string()),
  folders: z.array(z.string()),
  ...MaybeTimes,
});
export const SkillDetailSchema = z.object({
  ...SkillItemSchema.shape,
  ...MaybeRevision,
  /** Skills that include it. */
  referenced_by: z.array(z.string()),
  /** Of one that is one folder: what stands in its SKILL.md behind the front matter, as it stands there. */
  instructions: z.string().optional(),
  skill: JsonObjectSchema,
});
export const SkillListResultSchema = pageOf("skills", SkillItemSchema);

export const McpServerItemSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  transport: z.string(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  url: z.string().optional(),
  /** The skill whose document it stands in, and with which it goes. */
  from_skill: z.string().optional(),
  ...Times,
});
export const McpServerDetailSchema = z.object({
  ...McpServerItemSchema.shape,
  ...Revision,
  mcp_server: JsonObjectSchema,
});
export const McpServerListResultSchema = pageOf("mcp_servers", McpServerItemSchema);

export const LspServerListParamsSchema = z.object({
  ...ListParamsSchema.shape,
  language: optional(z.string().min(1)),
});
export const LspServerItemSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  languages: z.array(z.string()),
  command: z.string(),
  args: z.array(z.string()),
  capabilities: z.array(z.string()),
  ...Times,
});
export const LspServerDetailSchema = z.object({
  ...LspServerItemSchema.shape,
  ...Revision,
  lsp_server: JsonObjectSchema,
});
export const LspServerListResultSchema = pageOf("lsp_servers", LspServerItemSchema);

const ScalarSchema = z.union([z.string(), z.number(), z.boolean()]);
export const ResourceListParamsSchema = z.object({
  ...ListParamsSchema.shape,
  /** Resources of this type, and of those that inherit from it. */
  type_name: optional(z.string().min(1)),
});
/** A document, or its fields. */
export const ResourceAddParamsSchema = z.object({
  document: optional(DocumentSchema),
  file: FileSchema,
  update: optional(z.boolean()),
  name: optional(z.string().min(1)),
  type: optional(z.string().min(1)),
  description: optional(z.string()),
  arguments: optional(z.record(z.string(), ScalarSchema)),
  parents: optional(z.array(z.string().min(1))),
});
export const ResourceUpdateParamsSchema = z.object({
  document: optional(DocumentSchema),
  file: FileSchema,
  name: optional(z.string().min(1)),
  description: optional(z.string()),
  arguments: optional(z.record(z.string(), ScalarSchema)),
  revision: RevisionSchema,
});
export const ResourceItemSchema = z.object({
  name: z.string(),
  type: z.string(),
  description: z.string().optional(),
  arguments: z.record(z.string(), ScalarSchema),
  parents: z.array(z.string()),
  ...Times,
});
export const ResourceDetailSchema = z.object({
  ...ResourceItemSchema.shape,
  ...Revision,
  physical_virtual: z.enum(["physical", "virtual"]),
  capabilities: z.record(z.string(), z.boolean()),
  children: z.array(
    z.object({ name: z.string(), type: z.string(), state: z.enum(["registered", "discovered"]) }),
  ),
  resource: JsonObjectSchema,
});
export const ResourceListResultSchema = pageOf("resources", ResourceItemSchema);

export const ResourceTypeItemSchema = z.object({
  name: z.string(),
  source: SourceSchema,
  description: z.string(),
  physical_virtual: z.enum(["physical", "virtual"]),
  user_addable: z.boolean(),
  inherits: z.string().optional(),
  ...MaybeTimes,
});
export const ResourceTypeDetailSchema = z.object({
  ...ResourceTypeItemSchema.shape,
  ...MaybeRevision,
  /** With those that it inherits. */
  cli_arguments: z.array(
    z.object({
      argument: z.string(),
      type: z.string(),
      required: z.boolean(),
      description: z.string(),
      default: ScalarSchema.optional(),
    }),
  ),
  parent_types: z.array(z.string()),
  child_types: z.array(z.string()),
  sandbox: z.object({
    strategy: z.string().optional(),
    checkpointable: z.boolean(),
    handler: z.string().optional(),
  }),
  capabilities: z.record(z.string(), z.boolean()),
  resource_type: JsonObjectSchema,
});
export const ResourceTypeListResultSchema = pageOf("resource_types", ResourceTypeItemSchema);

export const ResourceLinkParamsSchema = z.object({
  parent: z.string().min(1),
  child: z.string().min(1),
});
export const ResourceTreeParamsSchema = z.object({
  /** The resource that it begins at; all that are a part of none when absent. */
  name: optional(z.string().min(1)),
  /** Branches with resources of this type, or of one that inherits from it. */
  type_name: optional(z.string().min(1)),
});
export interface ResourceNode {
  name: string;
  type: string;
  state: "registered" | "discovered";
  children: ResourceNode[];
}
export const ResourceNodeSchema: z.ZodType<ResourceNode> = z.lazy(() =>
  z.object({
    name: z.string(),
    type: z.string(),
    state: z.enum(["registered", "discovered"]),
    children: z.array(ResourceNodeSchema),
  }),
);
export const ResourceTreeResultSchema = z.object({ tree: z.array(ResourceNodeSchema) });
