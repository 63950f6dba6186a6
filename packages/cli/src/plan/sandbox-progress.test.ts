import { expect, test } from "vitest";
import { PLAIN } from "../output/paint.ts";
import { Progress } from "./progress.ts";

test("the copy of a large project is told stage by stage, and while it lasts", () => {
  const progress = new Progress(PLAIN, false);
  const take = (facts: Record<string, unknown>) =>
    progress.take({ event: { name: "sandbox.progress", facts } } as never);
  expect(take({ stage: "recording", files: 100_000, bytes: 14_000_000, seconds: 0 })).toEqual([
    "Sandbox: reading 100000 files, 14 MB",
  ]);
  expect(take({ stage: "copying", files: 1, bytes: 2_100_000_000, seconds: 20 })).toEqual([
    "Sandbox: copying 1 file, 2.1 GB (20 s)",
  ]);
  expect(take({ stage: "comparing", files: 100_000, bytes: 0, seconds: 0 })).toEqual([
    "Sandbox: comparing 100000 files",
  ]);
  expect(take({ stage: "applying", files: 2, bytes: 2_100_000_000, seconds: 0 })).toEqual([
    "Sandbox: writing 2 files, 2.1 GB",
  ]);
});
