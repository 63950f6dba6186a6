import type { Plan } from "@cleveragents/domain";
import { without } from "./plan-document.ts";
import type { PlanPlaces } from "./plan-places.ts";
import type { PlanDeps, Turn } from "./turn.ts";

/**
 * The plan if it may be carried out now, which includes having said so where it had to wait; undefined while it waits,
 * which stands in its document and in its log.
 */
export async function takePlace(
  { clock }: Pick<PlanDeps, "clock">,
  places: PlanPlaces,
  { plan, writer }: Pick<Turn, "plan" | "writer">,
): Promise<Plan | undefined> {
  const { planId, attempt, queuedSince } = plan;
  const since = queuedSince ?? clock.now();
  if (!places.enter(planId, since)) {
    if (queuedSince !== undefined) return undefined;
    const position = places.positionOf(planId) ?? 1;
    await writer.write({ ...plan, queuedSince: since }, "working", [
      { key: `a${attempt}:queued:${since}`, name: "plan.queued", data: { position, places: places.places } },
    ]);
    return undefined;
  }
  if (queuedSince === undefined) return plan;
  const placed = without(plan, "queuedSince");
  const waited = Math.max(0, Math.round((clock.now() - queuedSince) / 1000));
  await writer.write(placed, "working", [
    { key: `a${attempt}:placed:${queuedSince}`, name: "plan.place_taken", data: { waited_seconds: waited } },
  ]);
  return placed;
}
