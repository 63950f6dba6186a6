import type { Correction, Decision, JsonObject, Plan } from "@cleveragents/domain";
import type { Command, InboxEntry } from "../ports/task-store.ts";
import { compact } from "../wire/message.ts";
import { ask } from "./asking.ts";
import type { NamedEvent } from "./plan-writer.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** What is asked to be taken back; the service has looked whether it can be, and the worker looks again. */
export interface CorrectionBody {
  readonly correctionId: string;
  readonly kind: "correct" | "rollback" | "append";
  /** For `correct` and `append`: the decision, by its id. */
  readonly target?: string;
  /** For `rollback`: the first step that is undone. */
  readonly step?: number;
  /** For `append`: what does the work; the plan's own action when absent. */
  readonly action?: { readonly name: string; readonly arguments: JsonObject };
  readonly text: string;
  readonly by: string;
  readonly messageId: string;
}

export function recordOf(
  { clock }: Pick<PlanDeps, "clock">,
  { correctionId, messageId, kind, target, text, by }: CorrectionBody,
  attempt: number,
  done: { readonly decision?: Decision; readonly files?: Correction["files"]; readonly refused?: string },
): Correction {
  return {
    correctionId,
    messageId,
    kind,
    text,
    by,
    attempt,
    at: clock.now(),
    ...compact({ target, decisionId: done.decision?.decisionId, refused: done.refused, files: done.files }),
  };
}

export function correctionIn(plan: Plan, correctionId: string): Correction | undefined {
  return plan.corrections?.find((correction) => correction.correctionId === correctionId);
}

/** What was offered is no longer: the artifact of the same name says so, until there is another changeset. */
export function withdrawnChangeset({ attempt }: Plan): NonNullable<Command["events"]>[number] {
  return {
    key: `a${attempt}:changeset-withdrawn`,
    event: {
      type: "artifact",
      append: false,
      lastChunk: true,
      artifact: {
        artifactId: "changeset",
        name: "changeset",
        description: "The plan was taken back; what it offered is withdrawn",
        parts: [{ kind: "data", data: { withdrawn: true, paths: [] }, mediaType: "application/json" }],
      },
    },
  };
}

export async function refuse(
  deps: PlanDeps,
  { plan, writer }: Turn,
  { key }: InboxEntry,
  body: CorrectionBody,
  refused: string,
): Promise<TurnOutcome> {
  const next = {
    ...plan,
    corrections: [...(plan.corrections ?? []), recordOf(deps, body, plan.attempt, { refused })],
  };
  const event: NamedEvent = {
    key: `refused:${body.correctionId}`,
    name: "plan.correction_refused",
    data: { correction_id: body.correctionId, reason: refused },
  };
  const take = [key];
  // What was asked before is asked again, since the correction had put the plan to work.
  if (plan.open !== undefined) {
    const { open, ...rest } = next;
    const { requestId: _id, planId: _plan, createdAt: _at, ...draft } = plan.open;
    return ask(deps, { writer }, rest, draft, [event], take);
  }
  await writer.write(next, "working", [event], { inbox: { take } });
  return "continue";
}
