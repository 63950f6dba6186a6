import { APPROVAL_EXTENSION, PLATFORM_EXTENSION, RESUME_EXTENSION } from "../extensions.ts";
import { type MethodName, methods } from "../methods/method-table.ts";
import type { AgentCard } from "../schemas/agent-card.ts";

export interface CardConfig {
  readonly version: string;
  /** Where the JSON-RPC endpoint is reached from outside, e.g. `http://127.0.0.1:8000/a2a`. */
  readonly url: string;
  /** What the `Authenticator` accepts; empty when no credential is asked for. */
  readonly schemes: readonly ("bearer" | "apiKey")[];
  readonly retentionSeconds: number;
}

/** The A2A 1.0 card (A2A §8): what stands here is what is served and what is enforced. */
export function buildAgentCard(config: CardConfig): AgentCard {
  return {
    name: "CleverAgents",
    description:
      "Carries out work on a project as plans: decided, run in a sandbox, shown as a diff, applied when a human says so.",
    version: config.version,
    supportedInterfaces: [{ url: config.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: PLATFORM_EXTENSION,
          description: "The platform's own methods.",
          required: false,
          params: { version: "1.0", methods: platformMethods() },
        },
        {
          uri: RESUME_EXTENSION,
          description: "Last-Event-ID on a subscription gives every later event once, in order.",
          required: false,
          params: { retentionSeconds: config.retentionSeconds },
        },
        {
          uri: APPROVAL_EXTENSION,
          description: "What a human is asked, as data, and how it is answered.",
          required: false,
        },
      ],
    },
    ...security(config.schemes),
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: [
      {
        id: "plan-lifecycle",
        name: "Plan lifecycle",
        description: "Use an action, execute it in a sandbox, read the diff, apply it.",
        tags: ["plan", "diff", "apply"],
      },
      {
        id: "registry-crud",
        name: "Registries",
        description: "Actions, projects, actors and tools.",
        tags: ["registry"],
      },
    ],
  };
}

function platformMethods(): string[] {
  return (Object.keys(methods) as MethodName[])
    .filter((name) => methods[name].family === "cleveragents")
    .sort();
}

function security(
  schemes: CardConfig["schemes"],
): Pick<AgentCard, "securitySchemes" | "securityRequirements"> {
  if (schemes.length === 0) return {};
  const all = {
    bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } },
    apiKey: { apiKeySecurityScheme: { location: "header", name: "X-API-Key" } },
  };
  return {
    securitySchemes: Object.fromEntries(schemes.map((scheme) => [scheme, all[scheme]])),
    securityRequirements: schemes.map((scheme) => ({ schemes: { [scheme]: { list: [] } } })),
  };
}
