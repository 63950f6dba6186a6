import { z } from "zod";
import { JsonObjectSchema } from "./json.ts";

const texts = z.array(z.string());
const requirements = z.array(z.record(z.string(), texts));
const description = z.string().optional();

const Flow = z.object({
  authorizationUrl: z.string().optional(),
  tokenUrl: z.string().optional(),
  refreshUrl: z.string().optional(),
  scopes: z.record(z.string(), z.string()),
});

const SecurityScheme = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("apiKey"),
    in: z.enum(["cookie", "header", "query"]),
    name: z.string(),
    description,
  }),
  z.object({ type: z.literal("http"), scheme: z.string(), bearerFormat: z.string().optional(), description }),
  z.object({
    type: z.literal("oauth2"),
    flows: z.object({
      authorizationCode: Flow.required({ authorizationUrl: true, tokenUrl: true }).optional(),
      clientCredentials: Flow.required({ tokenUrl: true }).optional(),
      implicit: Flow.required({ authorizationUrl: true }).optional(),
      password: Flow.required({ tokenUrl: true }).optional(),
    }),
    oauth2MetadataUrl: z.string().optional(),
    description,
  }),
  z.object({ type: z.literal("openIdConnect"), openIdConnectUrl: z.string(), description }),
  z.object({ type: z.literal("mutualTLS"), description }),
]);

/** The agent card of A2A 0.3 (§5.5), as its JSON schema has it; members that it does not know are nobody's fault. */
export const LegacyAgentCardSchema = z.object({
  protocolVersion: z.string(),
  name: z.string(),
  description: z.string(),
  url: z.string(),
  preferredTransport: z.string().optional(),
  additionalInterfaces: z.array(z.object({ url: z.string(), transport: z.string() })).optional(),
  iconUrl: z.string().optional(),
  provider: z.object({ organization: z.string(), url: z.string() }).optional(),
  version: z.string(),
  documentationUrl: z.string().optional(),
  capabilities: z.object({
    streaming: z.boolean().optional(),
    pushNotifications: z.boolean().optional(),
    stateTransitionHistory: z.boolean().optional(),
    extensions: z
      .array(
        z.object({
          uri: z.string(),
          description,
          required: z.boolean().optional(),
          params: JsonObjectSchema.optional(),
        }),
      )
      .optional(),
  }),
  securitySchemes: z.record(z.string(), SecurityScheme).optional(),
  security: requirements.optional(),
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      tags: texts,
      examples: texts.optional(),
      inputModes: texts.optional(),
      outputModes: texts.optional(),
      security: requirements.optional(),
    }),
  ),
  supportsAuthenticatedExtendedCard: z.boolean().optional(),
  signatures: z
    .array(z.object({ protected: z.string(), signature: z.string(), header: JsonObjectSchema.optional() }))
    .optional(),
});
export type LegacyAgentCard = z.output<typeof LegacyAgentCardSchema>;
