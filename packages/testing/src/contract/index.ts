import type { OpenWorld } from "../world/world.ts";
import { actorContract } from "./actor.contract.ts";
import { authContract } from "./auth.contract.ts";
import { cardContract } from "./card.contract.ts";
import { conversationContract } from "./conversation.contract.ts";
import { diagnosticsContract } from "./diagnostics.contract.ts";
import { dialectsContract } from "./dialects.contract.ts";
import { entriesContract } from "./entries.contract.ts";
import { envelopeContract } from "./envelope.contract.ts";
import { eventContract } from "./event.contract.ts";
import { healthContract } from "./health.contract.ts";
import { invariantContract } from "./invariant.contract.ts";
import { lspContract } from "./lsp.contract.ts";
import { mcpContract } from "./mcp.contract.ts";
import { modelContract } from "./model.contract.ts";
import { planContract } from "./plan.contract.ts";
import { policyContract } from "./policy.contract.ts";
import { profileContract } from "./profile.contract.ts";
import { pushContract } from "./push.contract.ts";
import { registryContract } from "./registry.contract.ts";
import { sandboxContract } from "./sandbox.contract.ts";
import { sessionContract } from "./session.contract.ts";
import { skillContract } from "./skill.contract.ts";
import { taskContract } from "./task.contract.ts";
import { trustContract } from "./trust.contract.ts";
import { validationContract } from "./validation.contract.ts";

/** Every protocol suite; a test checks that no `*.contract.ts` is missing here. */
export const protocolSuites: Readonly<Record<string, (open: OpenWorld) => void>> = {
  envelopeContract,
  dialectsContract,
  taskContract,
  conversationContract,
  pushContract,
  planContract,
  registryContract,
  entriesContract,
  skillContract,
  validationContract,
  trustContract,
  invariantContract,
  modelContract,
  actorContract,
  lspContract,
  mcpContract,
  profileContract,
  policyContract,
  sandboxContract,
  sessionContract,
  eventContract,
  authContract,
  healthContract,
  diagnosticsContract,
  cardContract,
};
