import { expect, test } from "vitest";
import type { TaskSnapshot } from "../ports/task-store.ts";
import { PolledSnapshots } from "./polled-snapshots.ts";

function snapshot(taskId: string, text = ""): TaskSnapshot {
  const said = { messageId: "m", role: "user", parts: [{ kind: "text", text }] } as const;
  return { row: { taskId } as TaskSnapshot["row"], history: [said], artifacts: [] };
}

test("a task is kept from the second time on that it is asked for, as it was last", () => {
  const polled = new PolledSnapshots();
  const [first, second, third] = [snapshot("t"), snapshot("t"), snapshot("t")];
  polled.keep(first);
  expect(polled.earlier("t")).toBeUndefined();
  polled.keep(second);
  expect(polled.earlier("t")).toBe(second);
  polled.keep(second);
  expect(polled.earlier("t")).toBe(second);
  polled.keep(third);
  expect(polled.earlier("t")).toBe(third);
});

test("a long task is not kept", () => {
  const polled = new PolledSnapshots();
  for (let n = 0; n < 3; n++) polled.keep(snapshot("t", "x".repeat(20_000)));
  expect(polled.earlier("t")).toBeUndefined();
});

test("of very many tasks those are kept that were asked for last", () => {
  const polled = new PolledSnapshots();
  for (let n = 0; n < 1000; n++) for (let time = 0; time < 2; time++) polled.keep(snapshot(`t${n}`));
  expect(polled.earlier("t0")).toBeUndefined();
  expect(polled.earlier("t999")).toBeDefined();
});
