import { z } from "zod";

const Extension = z.object({
  uri: z.string(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  params: z.record(z.string(), z.json()).optional(),
});

/** A2A §4.4.1, the members that we serve and read. */
export const AgentCardSchema = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  supportedInterfaces: z.array(
    z.object({
      url: z.string(),
      protocolBinding: z.string(),
      protocolVersion: z.string(),
      tenant: z.string().optional(),
    }),
  ),
  provider: z.object({ url: z.string(), organization: z.string() }).optional(),
  capabilities: z.object({
    streaming: z.boolean().optional(),
    pushNotifications: z.boolean().optional(),
    extendedAgentCard: z.boolean().optional(),
    extensions: z.array(Extension).optional(),
  }),
  securitySchemes: z.record(z.string(), z.record(z.string(), z.json())).optional(),
  securityRequirements: z
    .array(z.object({ schemes: z.record(z.string(), z.object({ list: z.array(z.string()) })) }))
    .optional(),
  defaultInputModes: z.array(z.string()),
  defaultOutputModes: z.array(z.string()),
  skills: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      tags: z.array(z.string()),
      examples: z.array(z.string()).optional(),
    }),
  ),
});
export type AgentCard = z.output<typeof AgentCardSchema>;
