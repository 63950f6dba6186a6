import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { InboxEntry } from "../ports/task-store.ts";
import { PlanWaker } from "./plan-waker.ts";

const MAIL: readonly InboxEntry[] = [{ key: "answer:1", body: {} }];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function wakerOf(inbox: () => Promise<readonly InboxEntry[]>) {
  const signal = vi.fn(async () => undefined);
  return { waker: new PlanWaker({ store: { inbox }, engine: { signal } }), signal };
}

test("a signal that nobody heard is given again until the mail has been taken", async () => {
  let mail = MAIL;
  const { waker, signal } = wakerOf(async () => mail);
  await waker.wake("t");
  expect(signal.mock.calls).toEqual([["t"]]);
  await vi.advanceTimersByTimeAsync(20);
  expect(signal).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(80);
  expect(signal).toHaveBeenCalledTimes(3);
  mail = [];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(signal).toHaveBeenCalledTimes(3);
});

test("mail that nobody takes is not called out for ever", async () => {
  const { waker, signal } = wakerOf(async () => MAIL);
  await waker.wake("t");
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(signal).toHaveBeenCalledTimes(6);
  expect(vi.getTimerCount()).toBe(0);
});

test("a store that has been closed ends it quietly", async () => {
  const { waker, signal } = wakerOf(async () => {
    throw new Error("closed");
  });
  await waker.wake("t");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(signal).toHaveBeenCalledTimes(1);
});
