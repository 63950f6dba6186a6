import { ToolError } from "@cleveragents/application";
import type { SkillStep } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { InlineToolExecutor } from "./inline-tool-executor.ts";
import { SkillContext } from "./skill-context.ts";

const step = (index: number, title: string): SkillStep => ({ index, title, instructions: "", commands: [] });
const context = (signal = new AbortController().signal) =>
  new SkillContext({ sessionId: "s", planId: "p", cancellationToken: signal });
const refusal = async (work: Promise<unknown>): Promise<ToolError> => {
  const error: unknown = await work.catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ToolError);
  return error as ToolError;
};

test("a step is carried out by its function, and the context remembers it", async () => {
  let now = 5;
  const executor = new InlineToolExecutor({ now: () => now++ });
  const first = step(1, "Count");
  executor.register({ skill: "x", step: first, run: async (_, { planId }, args) => ({ planId, ...args }) });
  const of = context();
  expect(await executor.execute({ ...first }, of, { n: 1 })).toEqual({ planId: "p", n: 1 });
  expect(of.invocationHistory).toEqual([
    { tool: "skill-step/x.1", args: { n: 1 }, startedAt: 5, durationMs: 1, outcome: "done" },
  ]);
});

test("a step without a function is not said to be done", async () => {
  const of = context();
  expect((await refusal(new InlineToolExecutor().execute(step(1, "Count"), of))).reason).toBe(
    "NOT_AVAILABLE",
  );
  expect(of.invocationHistory).toEqual([]);
});

test("what a function throws fails its step, and what does not listen is not waited for", async () => {
  const executor = new InlineToolExecutor();
  const [bad, deaf] = [step(1, "Bad"), step(2, "Deaf")];
  executor.register({
    skill: "x",
    step: bad,
    run: () => {
      throw new Error("out of beans");
    },
  });
  executor.register({ skill: "x", step: deaf, run: () => new Promise(() => undefined) });
  const of = context();
  expect(await refusal(executor.execute(bad, of))).toMatchObject({
    reason: "STEP_FAILED",
    message: "Bad failed: out of beans",
  });
  const controller = new AbortController();
  const cancelled = context(controller.signal);
  const running = refusal(executor.execute(deaf, cancelled));
  controller.abort();
  expect((await running).reason).toBe("CANCELLED");
  expect((await refusal(executor.execute(deaf, cancelled))).reason).toBe("CANCELLED");
  expect(
    [of, cancelled].map(({ invocationHistory }) => invocationHistory.map(({ outcome }) => outcome)),
  ).toEqual([["failed"], ["cancelled"]]);
});

test("as tools they are what they say: without a word they can do anything", () => {
  const executor = new InlineToolExecutor();
  const run = () => ({});
  executor
    .register({ skill: "x", step: step(1, "A"), run })
    .register({ skill: "x", step: step(2, "B"), run, readOnly: true });
  expect(executor.list()).toMatchObject([
    { name: "skill-step/x.1", source: "agent_skill", readOnly: false, effect: "irreversible" },
    { name: "skill-step/x.2", readOnly: true, effect: "none" },
  ]);
});
