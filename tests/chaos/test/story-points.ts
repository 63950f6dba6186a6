import { FAIL_POINTS } from "@cleveragents/application";

/** Passed by an apply to a branch, which no story makes: packages/infrastructure/test/git-apply-parts.test.ts cuts it off there. */
const ON_BRANCHES: ReadonlySet<string> = new Set(["workspace.apply.committed", "workspace.apply.branched"]);

/** Passed by whoever speaks with an agent elsewhere: remotes.soak.ts has one, and kills at each of them. */
const ELSEWHERE = /^remote\./;

/** The fail points that the stories pass. */
export const STORY_POINTS: readonly string[] = Object.keys(FAIL_POINTS).filter(
  (name) => !ON_BRANCHES.has(name) && !ELSEWHERE.test(name),
);
