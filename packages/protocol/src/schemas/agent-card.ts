import { z } from "zod";
import { JsonObjectSchema, optional } from "./json.ts";

/** A member that A2A's proto does not track: its default and its absence are the same (A2A §5.7). */
function plain<T extends z.ZodType>(schema: T) {
  return optional(schema).transform((value) => (isDefault(value) ? undefined : value));
}

function isDefault(value: unknown): boolean {
  return (
    value === "" ||
    value === false ||
    (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}

const Text = plain(z.string()).optional();
const Texts = plain(z.array(z.string())).optional();

const Extension = z.object({
  uri: Text,
  description: Text,
  required: plain(z.boolean()).optional(),
  params: optional(JsonObjectSchema),
});

const Requirements = plain(
  z.array(z.object({ schemes: plain(z.record(z.string(), z.object({ list: Texts }))).optional() })),
).optional();

const Flow = z.object({
  authorizationUrl: Text,
  deviceAuthorizationUrl: Text,
  tokenUrl: Text,
  refreshUrl: Text,
  scopes: optional(z.record(z.string(), z.string())),
  pkceRequired: plain(z.boolean()).optional(),
});

/** A2A §4.5: exactly one member is there. */
const SecurityScheme = z.object({
  apiKeySecurityScheme: optional(z.object({ description: Text, location: z.string(), name: z.string() })),
  httpAuthSecurityScheme: optional(z.object({ description: Text, scheme: z.string(), bearerFormat: Text })),
  oauth2SecurityScheme: optional(
    z.object({ description: Text, flows: z.record(z.string(), Flow), oauth2MetadataUrl: Text }),
  ),
  openIdConnectSecurityScheme: optional(z.object({ description: Text, openIdConnectUrl: z.string() })),
  mtlsSecurityScheme: optional(z.object({ description: Text })),
});

const Interface = z.object({
  url: z.string(),
  protocolBinding: z.string(),
  tenant: Text,
  protocolVersion: z.string(),
});

const Skill = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  examples: Texts,
  inputModes: Texts,
  outputModes: Texts,
  securityRequirements: Requirements,
});

const Signature = z.object({
  protected: z.string(),
  signature: z.string(),
  header: optional(JsonObjectSchema),
});

/**
 * A2A §4.4.1, whole. Parsing leaves of a card what the proto of A2A 1.0 knows and keeps of it: members of other versions
 * and defaults that mean nothing are gone.
 */
export const AgentCardSchema = z.object({
  name: z.string(),
  description: z.string(),
  supportedInterfaces: z.array(Interface),
  provider: optional(z.object({ url: z.string(), organization: z.string() })),
  version: z.string(),
  documentationUrl: optional(z.string()),
  capabilities: z.object({
    streaming: optional(z.boolean()),
    pushNotifications: optional(z.boolean()),
    extensions: plain(z.array(Extension)).optional(),
    extendedAgentCard: optional(z.boolean()),
  }),
  securitySchemes: plain(z.record(z.string(), SecurityScheme)).optional(),
  securityRequirements: Requirements,
  defaultInputModes: z.array(z.string()),
  defaultOutputModes: z.array(z.string()),
  skills: z.array(Skill),
  signatures: plain(z.array(Signature)).optional(),
  iconUrl: optional(z.string()),
});
export type AgentCard = z.output<typeof AgentCardSchema>;
export type AgentSkill = AgentCard["skills"][number];
export type AgentInterface = AgentCard["supportedInterfaces"][number];
export type AgentCardSignature = NonNullable<AgentCard["signatures"]>[number];
