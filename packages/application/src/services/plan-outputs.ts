import type { Plan } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import { isHere } from "../plans/plan-document.ts";
import type { KeptOutput, OutputPage, OutputStore } from "../ports/output-store.ts";

export interface OutputAsked {
  readonly artifactId: string;
  /** In bytes. */
  readonly offset: number;
  readonly limit: number;
}

interface Deps {
  readonly outputs?: OutputStore | undefined;
  readonly host?: string | undefined;
}

/** The long outputs of a plan's commands that are kept whole on this host. */
export async function keptOutputs({ outputs }: Deps, plan: Plan): Promise<readonly KeptOutput[]> {
  return (await outputs?.list(plan.planId)) ?? [];
}

/** A page of one of them. Throws `ProtocolError` EntryNotFound where it is not, or no longer, kept. */
export async function outputPage(
  { outputs, host }: Deps,
  plan: Plan,
  { artifactId, offset, limit }: OutputAsked,
): Promise<OutputPage> {
  const page = await outputs?.read(plan.planId, artifactId, offset, limit);
  if (page !== undefined) return page;
  const where = isHere(plan, host)
    ? "; shorter ones are artifacts of its task"
    : " here; it ran on another host, which may have it";
  throw new ProtocolError("EntryNotFound", {
    message: `No whole output ${artifactId} is kept of plan ${plan.planId}${where}`,
    details: { plan_id: plan.planId, artifact_id: artifactId },
  });
}
