import type { OpenWorld } from "../world/world.ts";
import { envelopeContract } from "./envelope.contract.ts";
import { healthContract } from "./health.contract.ts";
import { planContract } from "./plan.contract.ts";
import { registryContract } from "./registry.contract.ts";
import { sessionContract } from "./session.contract.ts";
import { taskContract } from "./task.contract.ts";

/** Every protocol suite; a test checks that no `*.contract.ts` is missing here. */
export const protocolSuites: Readonly<Record<string, (open: OpenWorld) => void>> = {
  envelopeContract,
  taskContract,
  planContract,
  registryContract,
  sessionContract,
  healthContract,
};
