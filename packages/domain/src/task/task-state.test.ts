import fc from "fast-check";
import { expect, test } from "vitest";
import { canMoveTask, isInterrupted, isTerminal, TASK_STATES } from "./task-state.ts";

const state = fc.constantFrom(...TASK_STATES);

test("nothing follows a terminal state", () => {
  fc.assert(fc.property(state, state, (from, to) => !(isTerminal(from) && canMoveTask(from, to))));
});

test("no task is submitted a second time", () => {
  for (const from of TASK_STATES) expect(canMoveTask(from, "submitted")).toBe(from === "submitted");
});

test("four states are terminal and two interrupt", () => {
  expect(TASK_STATES.filter(isTerminal)).toEqual(["completed", "failed", "canceled", "rejected"]);
  expect(TASK_STATES.filter(isInterrupted)).toEqual(["input-required", "auth-required"]);
});
