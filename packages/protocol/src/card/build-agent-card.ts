import type { Authenticator } from "../authenticator.ts";
import { APPROVAL_EXTENSION, HITL_EXTENSION, PLATFORM_EXTENSION, RESUME_EXTENSION } from "../extensions.ts";
import type { Capabilities } from "../methods/capabilities.ts";
import type { AgentCard, AgentInterface } from "../schemas/agent-card.ts";
import { A2A_VERSIONS, type A2aVersion } from "../version.ts";
import { cardSecurity } from "./card-security.ts";
import { platformMethods, platformSkills } from "./card-skills.ts";

/** Where a server has these, below its address; the card names them. */
export const OPENRPC_PATH = "/openrpc.json";
export const SPECIFICATION_PATH = "/extensions/v1.md";

export interface CardConfig {
  readonly version: string;
  /**
   * Where the agent is reached over HTTP from outside, without the path of a binding: `https://agents.example/a`. A
   * slash at the end does not matter. Undefined: not over HTTP.
   */
  readonly baseUrl?: string | undefined;
  /** What the `Authenticator` accepts; empty when no credential is asked for. */
  readonly schemes: Authenticator["schemes"];
  /** Where the issuer of bearer tokens describes itself (OpenID Connect Discovery), if it does. */
  readonly openIdConnectUrl?: string | undefined;
  readonly retentionSeconds: number;
  /** What is switched off; what is not named is on. */
  readonly capabilities?: Partial<Capabilities> | undefined;
  /** Versions of A2A that are served; all unless said otherwise. */
  readonly versions?: readonly A2aVersion[] | undefined;
  readonly provider?: { readonly organization: string; readonly url: string } | undefined;
  /** Where people read about the agent and its extensions. */
  readonly documentationUrl?: string | undefined;
  readonly iconUrl?: string | undefined;
}

/** The A2A 1.0 card (A2A §8): what stands here is what is served and what is enforced. */
export function buildAgentCard(config: CardConfig): AgentCard {
  const { provider, documentationUrl, iconUrl } = config;
  return {
    name: "CleverAgents",
    description:
      "Carries out work on a project as plans: decided, run in a sandbox, shown as a diff, applied when a human says so.",
    version: config.version,
    supportedInterfaces: httpInterfaces(config),
    ...(provider === undefined ? {} : { provider }),
    ...(documentationUrl === undefined ? {} : { documentationUrl }),
    ...(iconUrl === undefined ? {} : { iconUrl }),
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
      ...config.capabilities,
      extensions: extensions(config),
    },
    ...cardSecurity(config.schemes, config.openIdConnectUrl),
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: platformSkills(),
  };
}

/** A client of 0.3 appends `/v1/…` to the address of its HTTP+JSON binding by itself. */
function httpInterfaces({ baseUrl, versions = A2A_VERSIONS }: CardConfig): AgentInterface[] {
  if (baseUrl === undefined) return [];
  const base = withoutSlash(baseUrl);
  return A2A_VERSIONS.filter((version) => versions.includes(version)).flatMap((protocolVersion) => [
    { url: `${base}/a2a`, protocolBinding: "JSONRPC", protocolVersion },
    { url: `${base}/a2a/rest`, protocolBinding: "HTTP+JSON", protocolVersion },
  ]);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** What describes the platform's methods; nothing where nobody could fetch it. */
function descriptions({ baseUrl, documentationUrl }: CardConfig) {
  const base = baseUrl === undefined ? undefined : withoutSlash(baseUrl);
  const specification = documentationUrl ?? (base && `${base}${SPECIFICATION_PATH}`);
  return {
    ...(specification === undefined ? {} : { specification }),
    ...(base === undefined ? {} : { openrpc: `${base}${OPENRPC_PATH}` }),
  };
}

function extensions(config: CardConfig): AgentCard["capabilities"]["extensions"] {
  return [
    {
      uri: PLATFORM_EXTENSION,
      description: "The platform's own methods.",
      required: false,
      params: {
        version: "1.0",
        methods: platformMethods(),
        ...descriptions(config),
      },
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
    {
      uri: HITL_EXTENSION,
      description: "The same in the form of kagent's extension.",
      required: false,
    },
  ];
}
