import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { PLAN_ID, STATUS } from "../testing/samples.ts";

const CORRECT = "_cleveragents/plan/correct";
const ROLLBACK = "_cleveragents/plan/rollback";

const corrected = ({ dry_run = false }: { readonly dry_run?: unknown }) => ({
  plan_id: PLAN_ID,
  phase: "execute",
  state: "complete",
  dry_run,
  correction: { mode: "revert", impact: "1 decision", corrects: "d1", attempt: 2 },
  affected_subtree: {
    decisions_invalidated: [{ decision_id: "d1", type: "x", question: "Which way?", chosen: "left" }],
    child_plans_rolled_back: [],
    steps_undone: 1,
    unaffected_decisions: [],
  },
  sandbox_rollback: { checkpoint: "start", files_reverted: [], status: "planned" },
  tool_calls: { sandboxed: 1, compensable: 0, irreversible: 0 },
  warnings: [],
  recompute: { queued: false, from: "strategize" },
  history: [],
});

test("what would be undone is shown, and nothing is undone unless yes is typed", async () => {
  for (const [typed, code, calls] of [
    ["yes\n", 0, [true, undefined]],
    ["y\n", 1, [true]],
  ] as const) {
    const cli = new FakeCli({
      calls: { [CORRECT]: corrected },
      isTTY: true,
      stdin: typed,
      env: { NO_COLOR: "1" },
    });
    const exit = await cli.run("plan", "correct", PLAN_ID, "--guidance", "right");
    expect(exit === 0 ? 0 : 1, typed).toBe(code);
    expect(cli.stderr).toContain("Which way? -> left");
    expect(cli.requests.map(({ params }) => (params as { dry_run?: boolean }).dry_run)).toEqual(calls);
  }
});

test("without a terminal and without --yes nothing is asked or undone", async () => {
  const cli = new FakeCli({ calls: { [CORRECT]: corrected } });
  expect(await cli.run("plan", "correct", PLAN_ID, "--guidance", "right")).toBe(2);
  expect(cli.requests).toEqual([]);
  expect(cli.stderr).toContain("--dry-run shows what would be undone");
});

test("a dry run needs no guidance and no terminal", async () => {
  const cli = new FakeCli({ calls: { [CORRECT]: corrected } });
  expect(await cli.run("plan", "correct", PLAN_ID, "--dry-run")).toBe(0);
  expect(cli.paramsOf(CORRECT)).toMatchObject({ plan_id: PLAN_ID, dry_run: true });
  expect(cli.stdout).toContain("Would undo:");
});

const rolled = ({ dry_run = false }: { readonly dry_run?: unknown }) => ({
  plan_id: PLAN_ID,
  phase: "execute",
  state: "queued",
  context_id: "ctx",
  rollback_summary: {
    plan: PLAN_ID,
    project: "local/app",
    files_reverted: 1,
    checkpoint: "step-1",
    label: "edit a.ts",
  },
  changes_reverted: [{ file: "b.ts", action: "removed" }],
  impact: {
    child_plans_invalidated: [],
    decisions_after_cp: [],
    steps_undone: 1,
    tool_calls_after_cp: { sandboxed: 1, compensable: 0, irreversible: 0 },
    warnings: [],
  },
  checkpoints: [
    { checkpoint: "start", label: "what the plan started from" },
    { checkpoint: "step-1", label: "edit a.ts" },
  ],
  dry_run,
  next_steps: [`agents plan execute ${PLAN_ID}`],
});

test("rollback of a plan that is not applied shows its checkpoints, and goes back when one is named", async () => {
  const calls = { [ROLLBACK]: rolled, "_cleveragents/plan/status": STATUS };
  const listing = new FakeCli({ calls });
  expect(await listing.run("plan", "rollback", PLAN_ID)).toBe(0);
  expect(listing.paramsOf(ROLLBACK)).toMatchObject({ dry_run: true });
  expect(listing.stdout).toContain("step-1  edit a.ts");
  const going = new FakeCli({ calls });
  expect(await going.run("plan", "rollback", PLAN_ID, "step-1")).toBe(0);
  expect(going.paramsOf(ROLLBACK)).toEqual({ plan_id: PLAN_ID, checkpoint: "step-1" });
  expect(going.stdout).toContain("Back at:");
});
