import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whenLost } from "./when-lost.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function storeOf() {
  const row = { epoch: 3, state: "working" };
  const listeners = new Set<(taskId: string, lastSeq: number) => void>();
  let loads = 0;
  return {
    row,
    tell: () => {
      for (const listener of listeners) listener("t", 1);
    },
    listening: () => listeners.size,
    loads: () => loads,
    store: {
      load: async () => {
        loads++;
        return row as never;
      },
      watch: (_: string | undefined, listener: (taskId: string, lastSeq: number) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

test.each([
  ["has ended", { state: "canceled" }],
  ["has a new epoch", { epoch: 4 }],
])("a worker whose plan %s hears of it, told or not", async (_, change) => {
  for (const told of [true, false]) {
    const { store, row, tell } = storeOf();
    const lost = vi.fn();
    const stop = whenLost(store, "t", 3, lost);
    await vi.advanceTimersByTimeAsync(5000);
    expect(lost).not.toHaveBeenCalled();
    Object.assign(row, change);
    if (told) tell();
    await vi.advanceTimersByTimeAsync(told ? 200 : 2000);
    expect(lost).toHaveBeenCalledOnce();
    stop();
  }
});

test("a plan that says much is not looked at each time, and nothing is left when it is stopped", async () => {
  const { store, tell, loads, listening } = storeOf();
  const stop = whenLost(store, "t", 3, () => undefined);
  for (let n = 0; n < 1000; n++) {
    tell();
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(loads()).toBeLessThan(20);
  stop();
  expect([listening(), vi.getTimerCount()]).toEqual([0, 0]);
});
