import type { Decision } from "./decision.ts";

/** Whether a decision counts: what was superseded is remembered, and nothing follows from it any more. */
export function stands(decision: Pick<Decision, "supersededBy">): boolean {
  return decision.supersededBy === undefined;
}

/** What follows from a decision, by its place in the tree or since it was looked at; in the order it was decided in. */
export function downstreamOf(decisions: readonly Decision[], decisionId: string): readonly Decision[] {
  const reached = new Set([decisionId]);
  // Whatever follows from a decision was decided after it, so that one pass is enough.
  return [...decisions]
    .sort((a, b) => a.sequence - b.sequence)
    .filter(({ decisionId: id, parentId, dependsOn = [] }) => {
      const follows =
        id !== decisionId && [parentId, ...dependsOn].some((from) => from !== null && reached.has(from));
      if (follows) reached.add(id);
      return follows;
    });
}
