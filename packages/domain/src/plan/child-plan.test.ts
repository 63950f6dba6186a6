import { describe, expect, test } from "vitest";
import { SubplansSchema } from "../script/subplans-schema.ts";
import {
  type ChildPlan,
  newChildren,
  nextToMerge,
  settleFailures,
  startable,
  startedBy,
} from "./child-plan.ts";
import type { PlanStep } from "./plan.ts";

const parsed = (more: object, ids: readonly (string | object)[] = ["a", "b", "c"]) =>
  SubplansSchema.parse({
    ...more,
    plans: ids.map((id) => (typeof id === "string" ? { id, action: "x" } : { action: "x", ...id })),
  });
const as = (children: readonly ChildPlan[], ...more: readonly Partial<ChildPlan>[]): readonly ChildPlan[] =>
  children.map((child, at) => ({ ...child, ...more[at] }));
const names = (children: readonly ChildPlan[]) => children.map(({ name }) => name);

describe("subplans of a step", () => {
  test("begin one by one, each when the one before is merged", () => {
    const value = parsed({});
    const all = newChildren(value);
    expect(names(startable(all, value))).toEqual(["a"]);
    expect(startable(as(all, { status: "complete" }), value)).toEqual([]);
    expect(names(startable(as(all, { status: "complete", merged: true }), value))).toEqual(["b"]);
  });

  test("begin at once, as many as there may be", () => {
    const value = parsed({ mode: "parallel", max_parallel: 2 });
    const all = newChildren(value);
    expect(names(startable(all, value))).toEqual(["a", "b"]);
    expect(names(startable(as(all, { status: "running" }), value))).toEqual(["b"]);
  });

  test("begin one by one where each is to build on the one before, whatever else is said", () => {
    const value = parsed({ mode: "parallel", max_parallel: 3, merge_strategy: "sequential_apply" });
    const all = newChildren(value);
    expect(names(startable(all, value))).toEqual(["a"]);
    expect(startable(as(all, { status: "complete" }), value)).toEqual([]);
  });

  test("wait until those that they depend on are merged, not only through", () => {
    const value = parsed({ mode: "dependency_ordered" }, ["a", { id: "b", depends_on: ["a"] }]);
    const all = newChildren(value);
    expect(startable(as(all, { status: "complete", tree: "t" }), value)).toEqual([]);
    expect(names(startable(as(all, { status: "complete", tree: "t", merged: true }), value))).toEqual(["b"]);
  });

  test("are cancelled with those that they depend on by way of others", () => {
    const value = parsed({ mode: "dependency_ordered", retry_failed: false }, [
      "a",
      { id: "b", depends_on: ["a"] },
      { id: "c", depends_on: ["b"] },
      "d",
    ]);
    const settled = settleFailures(as(newChildren(value), { status: "failed", tries: 1 }), value);
    expect(settled.map(({ status }) => status)).toEqual(["failed", "cancelled", "cancelled", "pending"]);
  });

  test("are all known that were started, those too that were started anew", () => {
    const step = (children: readonly Partial<ChildPlan>[]) => ({ children }) as unknown as PlanStep;
    expect(
      startedBy([step([{ planId: "p3", earlier: ["p1", "p2"] }, {}]), step([{ earlier: ["p4"] }])]),
    ).toEqual(["p1", "p2", "p3", "p4"]);
  });

  test("wait for those that they depend on, and stand behind them", () => {
    const value = parsed({ mode: "dependency_ordered" }, [
      { id: "late", depends_on: ["early"] },
      { id: "early" },
    ]);
    const all = newChildren(value);
    expect(names(all)).toEqual(["early", "late"]);
    expect(names(startable(all, value))).toEqual(["early"]);
  });

  test("are merged in their order, whichever ends first, and past those that have failed", () => {
    const all = newChildren(parsed({ mode: "parallel" }));
    expect(nextToMerge(as(all, { status: "running" }, { status: "complete" }))).toBeUndefined();
    expect(nextToMerge(as(all, { status: "failed" }, { status: "complete" }))?.name).toBe("b");
  });

  test("are tried as often as the step says and no oftener, then who depends on them is cancelled", () => {
    const value = parsed({ mode: "dependency_ordered", max_retries: 2 }, [
      "a",
      { id: "b", depends_on: ["a"] },
    ]);
    const all = newChildren(value);
    const first = settleFailures(as(all, { status: "failed", tries: 1, planId: "p1" }), value);
    expect(first[0]).toMatchObject({ status: "pending", tries: 1, earlier: ["p1"] });
    const second = settleFailures(as(all, { status: "failed", tries: 2, planId: "p2" }), value);
    expect(second.map(({ status }) => status)).toEqual(["failed", "cancelled"]);
  });

  test("end all together where one failure is enough", () => {
    const value = parsed({ mode: "parallel", fail_fast: true, retry_failed: false });
    const settled = settleFailures(
      as(newChildren(value), { status: "failed", tries: 1 }, { status: "running" }),
      value,
    );
    expect(settled.map(({ status }) => status)).toEqual(["failed", "cancelled", "cancelled"]);
  });
});

test.each([
  [{ plans: [] }, "plans"],
  [
    {
      plans: [
        { id: "a", action: "x" },
        { id: "a", action: "x" },
      ],
    },
    "twice",
  ],
  [{ plans: [{ id: "a", action: "x", depends_on: ["b"] }] }, "depends_on"],
  [{ mode: "dependency_ordered", plans: [{ id: "a", action: "x", depends_on: ["b"] }] }, "no subplan"],
  [
    {
      mode: "dependency_ordered",
      plans: [
        { id: "a", action: "x", depends_on: ["b"] },
        { id: "b", action: "x", depends_on: ["a"] },
      ],
    },
    "in a circle",
  ],
  [{ plans: [{ id: "a", action: "x", resources: [] }] }, "resources"],
])("%j is refused, and what is wrong is named", (value, words) => {
  expect(SubplansSchema.safeParse(value).error?.message).toContain(words);
});
