import type { DecisionEffect, Plan } from "@cleveragents/domain";
import type { ChangesetStore } from "../ports/changeset-store.ts";
import type { ComparedTrees, Sandbox } from "../ports/workspace.ts";
import { standing } from "./decision-links.ts";

/** Comparisons that are made when a plan offers its changes; each is a run of git. */
const MOST_COMPARED = 40;

/** Two trees between which only steps of one decision have run. */
export interface EffectRow {
  /** Undefined for what the plan started from. */
  readonly from: string | undefined;
  readonly to: string;
}

/** Where the steps of a decision begin and end. Steps of others in between are left out. */
export function rowsOf({ steps }: Pick<Plan, "steps">, decisionId: string): readonly EffectRow[] {
  const rows: { from: string | undefined; to: string; open: boolean }[] = [];
  let before: string | undefined;
  for (const { checkpoint, decisions = [] } of steps) {
    if (checkpoint === undefined) continue;
    const last = rows.at(-1);
    if (!decisions.includes(decisionId)) {
      if (last !== undefined) last.open = false;
    } else if (last?.open === true) last.to = checkpoint;
    else rows.push({ from: before, to: checkpoint, open: true });
    before = checkpoint;
  }
  return rows.flatMap(({ from, to }) => (from === to ? [] : [{ from, to }]));
}

/**
 * What each standing decision has changed, kept beyond the life of the sandbox; `whole` is what the plan offers. What
 * superseded ones had changed stays known. Nothing where the plan has only one decision that steps hang on.
 */
export async function recordEffects(
  { changesets }: { readonly changesets: ChangesetStore },
  plan: Plan,
  sandbox: Pick<Sandbox, "baseTree" | "compare">,
  whole: ComparedTrees,
): Promise<readonly DecisionEffect[]> {
  const now = standing(plan).map(({ decisionId }) => decisionId);
  const earlier = (plan.effects ?? []).filter(({ decisionId }) => !now.includes(decisionId));
  const rows = now
    .map((decisionId) => ({ decisionId, rows: rowsOf(plan, decisionId) }))
    .filter((candidate) => candidate.rows.length > 0);
  const effects: DecisionEffect[] = [];
  let compared = 0;
  for (const { decisionId, rows: own } of rows) {
    const digests: string[] = [];
    compared += own.length;
    if (compared > MOST_COMPARED) continue;
    for (const { from = sandbox.baseTree, to } of own) {
      if (from === whole.from && to === whole.to) {
        digests.push(whole.digest);
        continue;
      }
      const part = await sandbox.compare(from, to);
      const { digest, changeset } = part;
      await changesets.put({ digest, changeset, patch: await part.patch() });
      digests.push(digest);
    }
    effects.push({ decisionId, digests });
  }
  return [...earlier, ...effects];
}
