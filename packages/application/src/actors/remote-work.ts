import type { ActorRole, JsonObject, Plan, RemotePlace, RemoteWork } from "@cleveragents/domain";
import type { RemoteActor } from "../ports/remote-agent.ts";

export type RemoteRole = ActorRole;

/** Throws where the plan has no such actor: whoever asks has looked. */
export function remoteActorOf({ sources }: Plan, role: RemoteRole): RemoteActor {
  const settings = sources?.[role]?.settings;
  if (settings === undefined) throw new Error(`the plan has no actor elsewhere for ${role}`);
  return settings as unknown as RemoteActor; // kept by `settingsOf` alone
}

export function withWork(plan: Plan, role: RemoteRole, work: RemoteWork): Plan {
  return { ...plan, remotes: { ...plan.remotes, [role]: work } };
}

/**
 * The plan with the work of an agent elsewhere brought in line with it: after it was taken back, corrected or rolled back
 * to before what that has sent, the agent begins anew, and what it still does is to be stopped.
 */
export function withWorkInLine(
  plan: Plan,
  role: RemoteRole,
): { readonly plan: Plan; readonly work: RemoteWork } {
  const known = plan.remotes?.[role];
  if (known === undefined) return placed(plan, role, { ...NEW, ...epochOf(plan) });
  const from = undoneFrom(plan, known);
  const anew = from !== undefined || known.reversions !== (plan.reversions ?? 0) || isCorrected(plan, known);
  if (!anew) return placed(plan, role, { ...known, attempt: plan.attempt });
  const inFlight: RemotePlace | undefined = known.pending?.taken ?? known.abandoned;
  const work: RemoteWork = {
    ...NEW,
    ...epochOf(plan),
    said: known.said,
    ...(inFlight === undefined ? {} : { abandoned: inFlight }),
  };
  const cut = from === undefined ? plan : { ...plan, steps: plan.steps.slice(0, from) };
  return placed(cut, role, work);
}

const NEW = { said: 0, guided: 0, place: {}, files: [], steps: [] } as const;

function placed(plan: Plan, role: RemoteRole, work: RemoteWork) {
  return { plan: withWork(plan, role, work), work };
}

function epochOf({ reversions = 0, attempt }: Plan): Pick<RemoteWork, "reversions" | "attempt"> {
  return { reversions, attempt };
}

/** The first step that has written a file of it and is to be run again, or is gone. */
function undoneFrom({ steps }: Plan, { steps: written, files }: RemoteWork): number | undefined {
  return written.find((index) => {
    const step = steps[index];
    if (step === undefined) return true;
    const waits = step.status === "pending" || step.status === "running";
    return waits && !files.some((file) => file.step === index);
  });
}

function isCorrected({ attempt, corrections = [] }: Plan, known: RemoteWork): boolean {
  return (
    known.attempt !== attempt && corrections.some((of) => of.attempt === attempt && of.refused === undefined)
  );
}

/** What is kept of an actor when a plan is made with it. */
export function settingsOfRemote(actor: RemoteActor): JsonObject {
  return actor as unknown as JsonObject; // a document is JSON
}
