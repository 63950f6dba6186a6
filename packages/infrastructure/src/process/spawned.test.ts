import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CommandNotStartedError } from "@cleveragents/application";
import { expect, it } from "vitest";
import { spawned } from "./spawned.ts";

it("a command that cannot be written down, since the disk is full, is not started and does not run on", async () => {
  const directory = mkdtempSync(join(tmpdir(), "cleveragents-spawned-"));
  const mark = join(directory, "ran");
  let pid = 0;
  const full = (started: number): void => {
    pid = started;
    throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  };
  const start = spawned(
    "/bin/sh",
    ["-c", `sleep 1; touch ${mark}`],
    { stdio: ["ignore", "pipe", "pipe"] },
    full,
  );
  await expect(start).rejects.toThrow(CommandNotStartedError);
  await expect(start).rejects.toThrow("the disk is full");
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  await delay(1200);
  expect(existsSync(mark)).toBe(false);
  rmSync(directory, { recursive: true });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
