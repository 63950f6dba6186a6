import type { OpenWorld } from "../world/world.ts";
import { authContract } from "./auth.contract.ts";
import { cardContract } from "./card.contract.ts";
import { conversationContract } from "./conversation.contract.ts";
import { dialectsContract } from "./dialects.contract.ts";
import { envelopeContract } from "./envelope.contract.ts";
import { eventContract } from "./event.contract.ts";
import { healthContract } from "./health.contract.ts";
import { invariantContract } from "./invariant.contract.ts";
import { planContract } from "./plan.contract.ts";
import { policyContract } from "./policy.contract.ts";
import { profileContract } from "./profile.contract.ts";
import { pushContract } from "./push.contract.ts";
import { registryContract } from "./registry.contract.ts";
import { sandboxContract } from "./sandbox.contract.ts";
import { sessionContract } from "./session.contract.ts";
import { taskContract } from "./task.contract.ts";
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
  validationContract,
  invariantContract,
  profileContract,
  policyContract,
  sandboxContract,
  sessionContract,
  eventContract,
  authContract,
  healthContract,
  cardContract,
};
