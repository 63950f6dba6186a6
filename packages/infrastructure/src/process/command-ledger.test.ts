import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CommandLedger } from "./command-ledger.ts";
import { ProcessCommandRunner } from "./process-command-runner.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ledger-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("commands that a dead process left running are ended with all they started", async () => {
  const child = spawn("/bin/sh", ["-c", "sleep 300 & sleep 300"], { detached: true, stdio: "ignore" });
  const pid = child.pid as number;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  new CommandLedger(folder).began(pid, "/somewhere");
  expect(readdirSync(folder)).toEqual([String(pid)]);
  expect(await new CommandLedger(folder).endLeftovers()).toBe(1);
  await gone;
  expect(() => process.kill(-pid, 0)).toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

test("a group whose leader is gone is ended as well", async () => {
  const child = spawn("/bin/sh", ["-c", "sleep 300 & exit 0"], { detached: true, stdio: "ignore" });
  const pid = child.pid as number;
  writeFileSync(join(folder, String(pid)), "1");
  await new Promise((resolve) => child.once("exit", resolve));
  expect(await new CommandLedger(folder).endLeftovers()).toBe(1);
  await expect.poll(() => isAlive(-pid)).toBe(false);
});

test("another process that got the number meanwhile is left alone", async () => {
  const stranger = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
  const pid = stranger.pid as number;
  writeFileSync(join(folder, String(pid)), "12345");
  expect(await new CommandLedger(folder).endLeftovers()).toBe(0);
  expect(isAlive(pid)).toBe(true);
  stranger.kill("SIGKILL");
});

test("of the commands that run, those within a directory are ended and the others go on", async () => {
  const ledger = new CommandLedger(folder);
  const [inside, beside] = ["/data/sandboxes/a/tree", "/data/sandboxes/ab/tree"].map((root) => {
    const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
    ledger.began(child.pid as number, root);
    return child;
  }) as [ReturnType<typeof spawn>, ReturnType<typeof spawn>];
  const gone = new Promise((resolve) => inside.once("exit", resolve));
  expect(await new CommandLedger(folder).endWithin("/data/sandboxes/a")).toBe(1);
  await gone;
  expect(readdirSync(folder)).toEqual([String(beside.pid)]);
  expect(isAlive(beside.pid as number)).toBe(true);
  beside.kill("SIGKILL");
});

test("a command that has ended is not written down any more", async () => {
  const runner = new ProcessCommandRunner({ env: process.env, ledger: new CommandLedger(folder) });
  let during: string[] = [];
  await runner.run({
    command: "echo here; sleep 0.2",
    root: folder,
    projectRoot: folder,
    timeoutMs: 5000,
    network: false,
    signal: new AbortController().signal,
    onOutput: () => {
      during = readdirSync(folder);
    },
  });
  expect(during).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([]);
});
