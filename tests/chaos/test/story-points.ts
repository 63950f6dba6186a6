import { FAIL_POINTS } from "@cleveragents/application";

/** Passed by an apply to a branch, which no story makes: packages/infrastructure/test/git-apply-parts.test.ts cuts it off there. */
const ON_BRANCHES: ReadonlySet<string> = new Set(["workspace.apply.committed", "workspace.apply.branched"]);

/** The fail points that the stories pass. */
export const STORY_POINTS: readonly string[] = Object.keys(FAIL_POINTS).filter(
  (name) => !ON_BRANCHES.has(name),
);
