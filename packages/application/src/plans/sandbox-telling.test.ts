import { expect, test, vi } from "vitest";
import type { Command } from "../ports/task-store.ts";
import { SandboxTelling } from "./sandbox-telling.ts";
import type { Turn } from "./turn.ts";

function tellingOf(append: (events: Command["events"]) => Promise<void> = async () => {}) {
  const told: unknown[] = [];
  const turn = {
    plan: { planId: "P", attempt: 1 },
    writer: {
      async append(_: string, events: Command["events"]) {
        told.push(...(events ?? []).map(({ event }) => (event.type === "status" ? event.domain : event)));
        await append(events);
      },
    },
  } as unknown as Turn;
  return { told, telling: new SandboxTelling(turn) };
}

test("the stages of a large project are told, and again while one lasts; a small one's are not", async () => {
  vi.useFakeTimers();
  try {
    const { told, telling } = tellingOf();
    telling.tell({ stage: "recording", files: 10, bytes: 10 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual([]);
    telling.tell({ stage: "recording", files: 6000, bytes: 10 });
    await vi.advanceTimersByTimeAsync(20_000);
    telling.tell({ stage: "copying", files: 1, bytes: 300_000_000 });
    telling.tell({ stage: "applying", files: 600, bytes: 10 });
    await telling[Symbol.asyncDispose]();
    await vi.advanceTimersByTimeAsync(60_000);
    const at = (stage: string, files: number, bytes: number, seconds: number) => ({
      name: "sandbox.progress",
      data: { stage, files, bytes, seconds },
    });
    expect(told).toEqual([
      at("recording", 6000, 10, 0),
      at("recording", 6000, 10, 10),
      at("recording", 6000, 10, 20),
      at("copying", 1, 300_000_000, 0),
      at("applying", 600, 10, 0),
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("what cannot be told does not hold up the copy", async () => {
  const { telling } = tellingOf(async () => {
    throw new Error("fenced");
  });
  telling.tell({ stage: "copying", files: 6000, bytes: 1 });
  await telling[Symbol.asyncDispose]();
});
