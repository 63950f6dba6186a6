import { profileOf, summaryOf } from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import type { Sandbox } from "../ports/workspace.ts";
import { toWireSummary } from "../wire/plan.ts";
import { ask } from "./asking.ts";
import { assess } from "./assessing.ts";
import { recordEffects } from "./decision-effects.ts";
import { applyAsk } from "./gates.ts";
import { moved, without } from "./plan-document.ts";
import type { NamedEvent } from "./plan-writer.ts";
import { SandboxTelling } from "./sandbox-telling.ts";
import { stageEvent } from "./strategize.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** Paths that a plan remembers of what it changed. */
const TOUCHED = 200;

/** Every step is through: what changed becomes a changeset, and the gate before Apply is asked or passed. */
export async function offerChangeset(deps: PlanDeps, turn: Turn, sandbox: Sandbox): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  await using telling = new SandboxTelling(turn);
  const compared = await sandbox.compare(undefined, undefined, (progress) => telling.tell(progress));
  const { changeset, digest } = compared;
  let complete = moved(
    { ...without(plan, "failure"), changeset: { digest, summary: summaryOf(changeset) } },
    { phase: "execute", state: "complete" },
  );
  if (changeset.files.length === 0) {
    const empty = moved(
      { ...complete, finishedAt: deps.clock.now() },
      { phase: "apply", state: "queued" },
      { phase: "apply", state: "processing" },
      { phase: "apply", state: "applied" },
    );
    await writer.write(empty, "completed", [
      { key: "applied", name: "plan.applied", data: { files: 0, digest } },
    ]);
    return "done";
  }
  const patch = await compared.patch();
  await telling[Symbol.asyncDispose]();
  await deps.changesets.put({ digest, changeset, patch });
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.changeset.stored");
  const ready: NamedEvent = {
    key: `a${plan.attempt}:changeset:${digest}`,
    name: "plan.changeset_ready",
    data: {
      digest,
      files: changeset.stats.files,
      insertions: changeset.stats.insertions,
      deletions: changeset.stats.deletions,
    },
  };
  await writer.append(plan.planId, [
    {
      key: `a${plan.attempt}:changeset-artifact:${digest}`,
      event: {
        type: "artifact",
        append: false,
        lastChunk: true,
        artifact: {
          artifactId: "changeset",
          name: "changeset",
          description: "What the plan would change",
          parts: [
            {
              kind: "data",
              data: {
                digest,
                ...toWireSummary(summaryOf(changeset)),
                paths: changeset.files.map((file) => file.path),
              },
              mediaType: "application/json",
            },
            ...(patch.length <= 1024 * 1024
              ? [
                  {
                    kind: "text" as const,
                    text: patch,
                    mediaType: "text/x-patch",
                    filename: `${plan.planId}.patch`,
                  },
                ]
              : []),
          ],
        },
      },
    },
  ]);
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.changeset.logged");
  const touched = changeset.files.slice(0, TOUCHED).map((file) => file.path);
  const effects = await recordEffects(deps, complete, sandbox, compared);
  const assessed = await assess(deps, { ...complete, touched, effects }, "apply", changeset.risks.length);
  complete = assessed.plan;
  if (assessed.proceeds && !profileOf(plan).guards.require_approval_for_apply) {
    const next = moved(complete, { phase: "apply", state: "queued" });
    await writer.write(next, "working", [ready, stageEvent(next)]);
    return "continue";
  }
  return ask(deps, turn, complete, applyAsk(complete, digest, changeset), [ready, stageEvent(complete)]);
}
