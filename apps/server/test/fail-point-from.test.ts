import { expect, test } from "vitest";
import { ConfigError } from "../src/config.ts";
import { failPointFrom } from "../src/fail-point-from.ts";

function told(text: string, log?: string) {
  const signals: string[] = [];
  const lines: string[] = [];
  const failPoint = failPointFrom(
    { CLEVERAGENTS_FAIL_POINT: text, CLEVERAGENTS_FAIL_POINT_LOG: log },
    {
      signalSelf: (signal) => signals.push(signal),
      append: (file, line) => lines.push(`${file}: ${line}`),
    },
  );
  return {
    signals,
    lines,
    pass: (...passed: Parameters<NonNullable<typeof failPoint>>) => failPoint?.(...passed),
  };
}

test("a fail point kills the process at its first pass, and at no other point", () => {
  const { signals, pass } = told("plan.step.ran");
  pass("plan.step.started");
  expect(signals).toEqual([]);
  pass("plan.step.ran");
  expect(signals).toEqual(["SIGKILL"]);
});

test("a count says which pass it is", () => {
  const { signals, pass } = told("plan.step.ran:3");
  for (const seen of [0, 0, 1, 1]) {
    pass("plan.step.ran");
    expect(signals).toHaveLength(seen);
  }
});

test("a star counts the passes of all points", () => {
  const { signals, pass } = told("*:2");
  pass("plan.step.started");
  expect(signals).toEqual([]);
  pass("plan.step.ran");
  expect(signals).toEqual(["SIGKILL"]);
});

test("stop stops the process, error throws, and several points do not mind each other", () => {
  const { signals, pass } = told("plan.step.ran:1:stop,plan.asked,plan.claimed:error");
  pass("plan.step.ran");
  expect(signals).toEqual(["SIGSTOP"]);
  pass("plan.asked");
  expect(signals).toEqual(["SIGSTOP", "SIGKILL"]);
  expect(() => pass("plan.claimed")).toThrow("fail point plan.claimed");
});

test("every pass is a line of the log", () => {
  const { lines, pass } = told("", "points.log");
  pass("plan.step.ran");
  pass("plan.step.ran");
  expect(lines).toEqual(["points.log: plan.step.ran\n", "points.log: plan.step.ran\n"]);
});

test("no variable is no fail point", () => {
  const host = { signalSelf: () => {}, append: () => {} };
  expect(failPointFrom({}, host)).toBeUndefined();
  expect(failPointFrom({ CLEVERAGENTS_FAIL_POINT: "" }, host)).toBeUndefined();
});

test.each([
  "nowhere",
  "toString",
  "plan.step.ran:0",
  "plan.step.ran:x",
  "plan.step.ran:1:twice",
  "*:1,nowhere",
])("%s is refused, so that no test believes that it kills something", (text) =>
  expect(() => told(text)).toThrow(ConfigError),
);
