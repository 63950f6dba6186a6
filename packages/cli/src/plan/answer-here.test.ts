import { describe, expect, test } from "vitest";
import { FakeCli, type FakeCliOptions, Refusal } from "../testing/fake-cli.ts";
import {
  APPLIED,
  APPLY_ASK,
  askMessage,
  DIFF,
  DIGEST,
  PATCH,
  PLAN_ID,
  STATUS,
  statusUpdate,
  taskItem,
} from "../testing/samples.ts";
import { Screen } from "../testing/screen.ts";
import { readAnswer } from "./read-answer.ts";

const WORKING = "TASK_STATE_WORKING";
const WAITING = "TASK_STATE_INPUT_REQUIRED";
const APPROVE = "_cleveragents/plan/approve";
const QUESTION = {
  request_id: "q-1",
  kind: "question",
  prompt: "Which one?",
  options: [
    { id: "a", label: "The first" },
    { id: "b", label: "" },
  ],
  free_text: true,
};
const asked = statusUpdate(WAITING, undefined, askMessage(QUESTION));
const gate = statusUpdate(WAITING, undefined, askMessage(APPLY_ASK));

/** A plan that asks, goes on when it has its answer, and then waits to be applied. */
function asking(options: FakeCliOptions & { readonly approve?: object } = {}) {
  let answered = false;
  const waitsFor = () => ({ ...STATUS, waiting_for: answered ? APPLY_ASK : QUESTION });
  return new FakeCli({
    isTTY: true,
    columns: 100,
    env: { NO_COLOR: "1" },
    streams: [
      [taskItem(WAITING), statusUpdate(WORKING), asked],
      [taskItem(WAITING), "hang"],
      [taskItem(WAITING), statusUpdate(WORKING), gate],
      [taskItem(WAITING), "hang"],
      [taskItem(WAITING), statusUpdate("TASK_STATE_COMPLETED")],
    ],
    ...options,
    calls: {
      "_cleveragents/plan/execute": { plan_id: PLAN_ID, state: "running", already: false },
      "_cleveragents/plan/status": waitsFor,
      [APPROVE]: () => {
        answered = true;
        return options.approve ?? { plan_id: PLAN_ID, choice: "a" };
      },
      "_cleveragents/plan/diff": DIFF,
      "_cleveragents/plan/apply": APPLIED,
      ...options.calls,
    },
  });
}
const execute = (cli: FakeCli, ...flags: string[]) => cli.run("plan", "execute", PLAN_ID, ...flags);

describe("at a terminal", () => {
  test("a question is asked in place, and the plan is followed on with the answer", async () => {
    const cli = asking({ stdin: "2\n\n" });
    expect(await execute(cli)).toBe(0);
    expect(cli.paramsOf(APPROVE)).toEqual({ plan_id: PLAN_ID, request_id: "q-1", option: "b" });
    const screen = new Screen(100, cli.terminal).text;
    expect(screen).toContain(
      "Which one?\n  1  The first\n  2  b\nAnswer with 1 to 2, or in words; Enter leaves it open: ",
    );
    expect(screen).toContain("Apply to local/app: 2 files");
    expect(cli.stderr).toContain(`It stays open: agents plan diff ${PLAN_ID}`);
  });

  test("the stream is open before the answer is given, so that nothing of what follows is missed", async () => {
    const cli = asking({ stdin: "a\n" });
    await execute(cli);
    const methods = cli.requests.map(({ method }) => method);
    expect(methods.indexOf(APPROVE)).toBeGreaterThan(methods.indexOf("SubscribeToTask", 3));
  });

  test("an answer that is none is said so, and asked again", async () => {
    const cli = asking({
      stdin: "7\nb\n",
      calls: {
        "_cleveragents/plan/status": () => ({ ...STATUS, waiting_for: { ...QUESTION, free_text: false } }),
      },
      streams: [[taskItem(WAITING), asked], ["hang"], ["hang"], [taskItem(WAITING), asked], ["hang"]],
    });
    await execute(cli);
    expect(cli.terminal).toContain("That is none of the answers: a, b\n");
    expect(cli.paramsOf(APPROVE)).toMatchObject({ option: "b" });
  });

  test("Enter leaves the question open: exit code 11, and nothing is answered", async () => {
    const cli = asking({ stdin: "\n" });
    expect(await execute(cli)).toBe(11);
    expect(cli.paramsOf(APPROVE)).toBeUndefined();
    expect(cli.stderr).toContain(`It stays open: agents plan approve ${PLAN_ID} --option a`);
  });

  test("only a typed yes applies, exactly what was shown; d shows the patch first", async () => {
    const cli = asking({
      stdin: "a\nd\nyes\n",
      calls: {
        "_cleveragents/plan/status": () =>
          cli.paramsOf("_cleveragents/plan/apply") === undefined
            ? { ...STATUS, waiting_for: cli.paramsOf(APPROVE) === undefined ? QUESTION : APPLY_ASK }
            : { ...STATUS, waiting_for: undefined, task_state: "TASK_STATE_COMPLETED" },
      },
      streams: [
        [taskItem(WAITING), statusUpdate(WORKING), asked],
        ["hang"],
        [taskItem(WAITING), statusUpdate(WORKING), gate],
        ["hang"],
        ["hang"],
        [taskItem(WAITING), statusUpdate("TASK_STATE_COMPLETED")],
      ],
    });
    expect(await execute(cli)).toBe(0);
    expect(cli.stdout).toContain(PATCH);
    expect(cli.paramsOf("_cleveragents/plan/apply")).toEqual({ plan_id: PLAN_ID, digest: DIGEST });
  });

  test("an answer that was given elsewhere meanwhile ends the question", async () => {
    const cli = asking({
      calls: {
        "_cleveragents/plan/status": () =>
          cli.requests.filter(({ method }) => method === "SubscribeToTask").length < 3
            ? { ...STATUS, waiting_for: QUESTION }
            : { ...STATUS, task_state: "TASK_STATE_COMPLETED", waiting_for: undefined },
      },
      waits: true,
      streams: [
        [taskItem(WAITING), statusUpdate(WORKING), asked],
        [taskItem(WAITING), statusUpdate(WORKING), "hang"],
        [taskItem(WORKING), statusUpdate("TASK_STATE_COMPLETED")],
        [taskItem(WORKING), statusUpdate("TASK_STATE_COMPLETED")],
      ],
    });
    expect(await execute(cli)).toBe(0);
    expect(cli.terminal).toContain("It was answered elsewhere.\n");
    expect(cli.paramsOf(APPROVE)).toBeUndefined();
  });

  test("an answer that comes too late is no failure", async () => {
    const cli = asking({
      stdin: "a\n",
      calls: {
        [APPROVE]: new Refusal(-32004, "nothing is open", { reason: "NOTHING_OPEN" }),
        "_cleveragents/plan/status": () =>
          cli.paramsOf(APPROVE) === undefined
            ? { ...STATUS, waiting_for: QUESTION }
            : { ...STATUS, task_state: "TASK_STATE_COMPLETED", waiting_for: undefined },
      },
      streams: [
        [taskItem(WAITING), asked],
        ["hang"],
        [taskItem(WORKING)],
        [taskItem(WORKING), statusUpdate("TASK_STATE_COMPLETED")],
      ],
    });
    expect(await execute(cli)).toBe(0);
    expect(cli.terminal).toContain("It was answered elsewhere.\n");
  });

  test("Ctrl-C at the question leaves it open, ends with 130 and says how to answer", async () => {
    const cli = asking({ waits: true });
    const code = execute(cli);
    await cli.untilRead();
    cli.interrupt();
    expect(await code).toBe(130);
    expect(cli.stderr).toContain(`hint: to answer: agents plan status ${PLAN_ID}\n`);
  });

  test.each([["--no-input"], ["--yes"], ["-q"]])("nothing is asked with %s", async (flag) => {
    const cli = asking({ stdin: "a\n" });
    expect(await execute(cli, flag)).toBe(11);
    expect(cli.stdinRead).toBe(false);
  });
});

test("without a terminal nothing is asked, whatever stdin has", async () => {
  const cli = asking({ isTTY: false, stdin: "a\n" });
  expect(await execute(cli)).toBe(11);
  expect(cli.stdinRead).toBe(false);
});

test("an answer is a number, an id, an id with its words, or words where they are taken", () => {
  const closed = { ...QUESTION, free_text: false };
  expect([readAnswer("1", QUESTION), readAnswer("B", QUESTION)]).toEqual([{ option: "a" }, { option: "b" }]);
  expect(readAnswer("a good question", QUESTION)).toEqual({ text: "a good question" });
  expect(readAnswer("a 500", closed)).toEqual({ option: "a", text: "500" });
  expect([readAnswer("3", QUESTION), readAnswer("3", closed)]).toEqual([{ text: "3" }, undefined]);
});
