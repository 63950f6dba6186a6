import { TransportError } from "@cleveragents/protocol";
import { describe, expect, test, vi } from "vitest";
import { EXIT_CODE_MEANINGS } from "./exit-codes.ts";
import { FakeCli, type FakeCliOptions, Refusal } from "./testing/fake-cli.ts";
import { DIFF, PLAN_ID, RUNNING, STATUS, statusUpdate, taskItem } from "./testing/samples.ts";

const WAITING = "TASK_STATE_INPUT_REQUIRED";
const drifted = new Refusal(-32004, "files changed meanwhile", { reason: "PLAN_BASE_DRIFT", details: [] });
/** A plan that is told to go on, and how it stands then. */
interface Standing extends Readonly<Record<string, unknown>> {
  readonly task_state?: string;
}
const going = (status: Standing): FakeCliOptions => ({
  streams: [
    [taskItem(WAITING), statusUpdate("TASK_STATE_WORKING"), statusUpdate(status.task_state ?? WAITING)],
  ],
  calls: {
    "_cleveragents/plan/execute": { plan_id: PLAN_ID, phase: "execute", state: "running", already: false },
    "_cleveragents/plan/status": { ...STATUS, ...status },
  },
});
const failed = { state: "failed", task_state: "TASK_STATE_FAILED", waiting_for: undefined };
const asks = { request_id: "q", kind: "question", prompt: "Which?", options: [], free_text: true };

/** What a user does, by the exit code that it ends with. */
const PROVOKED: Readonly<Record<number, readonly [argv: string, options: FakeCliOptions]>> = {
  0: ["plan list", { calls: { "_cleveragents/plan/list": { plans: [], total: 0, next_page_token: "" } } }],
  1: ["plan status nope", { calls: { "_cleveragents/plan/status": new Refusal(-32001, "not there") } }],
  2: ["plan list --no-such-flag", {}],
  3: ["plan list", { connect: () => new TransportError("NOT_CONNECTED", "nobody is there") }],
  4: ["plan list", { connect: () => new TransportError("UNAUTHORIZED", "who are you?") }],
  5: ["plan list", { connect: () => new TransportError("TIMEOUT", "no answer") }],
  10: [`plan diff ${PLAN_ID} --exit-code`, { calls: { "_cleveragents/plan/diff": DIFF } }],
  11: [`plan execute ${PLAN_ID}`, going({ ...STATUS, waiting_for: asks })],
  12: [`plan execute ${PLAN_ID}`, going({ ...failed, error: { reason: "STEP_FAILED", message: "x" } })],
  13: [
    `plan apply ${PLAN_ID} --yes`,
    { calls: { "_cleveragents/plan/diff": DIFF, "_cleveragents/plan/apply": drifted } },
  ],
  14: [`plan execute ${PLAN_ID}`, going({ ...failed, error: { reason: "BUDGET_EXCEEDED", message: "x" } })],
};

describe("agents help exit-codes", () => {
  test.each(EXIT_CODE_MEANINGS.filter(([code]) => code !== 130))("%i: %s", async (code) => {
    const [argv, options] = PROVOKED[code] ?? ["", {}];
    const cli = new FakeCli(options);
    expect([await cli.run(...argv.split(" ")), cli.stderr]).toEqual([code, expect.anything()]);
  });

  test("130: interrupted with Ctrl-C, which is no error to whoever pressed it", async () => {
    const cli = new FakeCli({
      ...going(RUNNING),
      streams: [[taskItem(WAITING), statusUpdate("TASK_STATE_WORKING"), "hang"]],
      now: () => Date.now(),
    });
    vi.useFakeTimers();
    try {
      const code = cli.run("plan", "execute", PLAN_ID);
      await vi.waitFor(() => expect(cli.paramsOf("_cleveragents/plan/execute")).toBeDefined());
      cli.interrupt();
      await vi.advanceTimersByTimeAsync(2000);
      expect(await code).toBe(130);
      expect(cli.stderr).toMatch(/^interrupted; plan .* goes on$/m);
      expect(cli.stderr).not.toContain("error:");
    } finally {
      vi.useRealTimers();
    }
  });

  test("lists what is written down of it, and nothing twice", async () => {
    const cli = new FakeCli();
    expect(await cli.run("help", "exit-codes")).toBe(0);
    const listed = [...cli.stdout.matchAll(/^ +(\d+) {2}\S/gm)].map(([, code]) => Number(code));
    expect(listed).toEqual([0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 130]);
  });
});
