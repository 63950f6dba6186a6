import type { ResultOf } from "@cleveragents/protocol";
import { fields } from "../output/words.ts";

/** What an answer did, after approve and reject. */
export function answerText({
  plan_id,
  choice,
  phase,
  state,
}: ResultOf<"_cleveragents/plan/approve">): string {
  const ended = state === "cancelled" || state === "rejected" || state === "failed" || state === "applied";
  return fields([
    ["Plan", plan_id],
    ["Answer", choice],
    ["Stage", `${phase} / ${state}`],
    ["Next", ended ? undefined : `agents plan watch ${plan_id}`],
  ]);
}
