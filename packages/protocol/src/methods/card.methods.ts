import { z } from "zod";
import { AgentCardSchema } from "../schemas/agent-card.ts";
import { optional } from "../schemas/json.ts";
import { defineMethod } from "./define-method.ts";

export const cardMethods = {
  GetExtendedAgentCard: defineMethod({
    name: "GetExtendedAgentCard",
    group: "card",
    family: "a2a",
    // 0.3 has its one card for known callers there.
    rest: { verbs: ["GET"], path: "/extendedAgentCard", legacyPath: "/card" },
    kind: "unary",
    params: z.object({ tenant: optional(z.string().max(256)) }),
    result: AgentCardSchema,
    errors: ["InvalidParams", "UnsupportedOperation", "ExtendedAgentCardNotConfigured", "PermissionDenied"],
    scope: "task:read",
    summary: "The agent card for callers that are known: with the actions that they can use.",
  }),
} as const;
