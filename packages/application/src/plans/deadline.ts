import type { AskAnswer, AskRequest, Plan, PlanFailure } from "@cleveragents/domain";

/** The plan with the deadline that goes with being started, or tried again; one of before no longer counts. */
export function withDeadline(plan: Plan, { kind }: AskRequest, { details }: AskAnswer, now: number): Plan {
  if (kind !== "start" && kind !== "retry") return plan;
  const { deadline: _, ...rest } = plan;
  const timeout = details?.["timeout_ms"];
  return typeof timeout === "number" ? { ...rest, deadline: now + timeout } : rest;
}

/** What a plan whose deadline has passed stops with; undefined while there is time. */
export function overdue({ deadline }: Plan, now: number, step: number): PlanFailure | undefined {
  if (deadline === undefined || now < deadline) return undefined;
  const message = "the plan has not done its work within the time that it was given";
  return { reason: "TIMEOUT", message, step, recoverable: true };
}

/** Fires with the signal, and when the plan's time is up. Arguments stay as they are: guards know calls by them. */
export function withinDeadline(signal: AbortSignal, { deadline }: Plan, now: number): AbortSignal {
  if (deadline === undefined) return signal;
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, deadline - now))]);
}
