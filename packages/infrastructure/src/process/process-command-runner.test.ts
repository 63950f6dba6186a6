import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandNotStartedError, type CommandRequest } from "@cleveragents/application";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandLauncher } from "./command-launcher.ts";
import { ProcessCommandRunner } from "./process-command-runner.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "runner-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };
const request = (command: CommandRequest["command"]): CommandRequest => ({
  command,
  root,
  projectRoot: "/nowhere",
  timeoutMs: 15_000,
  network: false,
  signal: new AbortController().signal,
});

/** True while a process does anything; a zombie that nobody has collected yet does not. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = existsSync("/proc/self/stat") ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  return !/\) [ZX] /.test(stat);
}
async function pidIn(file: string): Promise<number> {
  for (let tries = 0; tries < 250; tries += 1) {
    const text = existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), "utf8").trim() : "";
    if (text !== "") return Number(text);
    await sleep(20);
  }
  throw new Error(`nothing was written to ${file}`);
}

describe("ProcessCommandRunner without isolation", () => {
  const runner = new ProcessCommandRunner({ env, graceMs: 300 });

  it("claims no enforcement, and says what that means", async () => {
    expect(await runner.probe()).toMatchObject({ level: "none", why: expect.stringMatching(/network/) });
  });

  it("cannot reach a descendant that has left its session and its environment, and does not wait for it", async () => {
    const script = `
      const child = require("node:child_process").spawn("sleep", ["20"], { detached: true, stdio: "inherit", env: {} });
      require("node:fs").writeFileSync("escapee", String(child.pid));
      child.unref();
      console.log("done");`;
    const result = await runner.run(request([process.execPath, "-e", script]));
    const escapee = await pidIn("escapee");
    try {
      expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
      expect(runs(escapee)).toBe(true); // what level "none" cannot prevent, and why its probe says so
    } finally {
      process.kill(escapee, "SIGKILL");
    }
  });
});

describe("ProcessCommandRunner and its isolation", () => {
  class Scripted implements CommandLauncher {
    launched = 0;
    readonly level: "full" | "none";
    constructor(level: "full" | "none") {
      this.level = level;
    }
    async probe() {
      return { level: this.level, why: "scripted" };
    }
    async launch(): Promise<never> {
      this.launched += 1;
      throw new CommandNotStartedError("scripted");
    }
  }

  it("uses it where it works, and nothing less when it fails then", async () => {
    const isolation = new Scripted("full");
    const runner = new ProcessCommandRunner({ env, isolation });
    expect(await runner.probe()).toMatchObject({ level: "full", why: "scripted" });
    await expect(runner.run(request("touch x"))).rejects.toThrow("scripted");
    expect(existsSync(path.join(root, "x"))).toBe(false);
  });

  it("does without where it does not work, and says why", async () => {
    const isolation = new Scripted("none");
    const runner = new ProcessCommandRunner({ env, isolation });
    expect(await runner.probe()).toMatchObject({
      level: "none",
      why: expect.stringMatching(/^scripted; .*network/),
    });
    expect(await runner.run(request("echo done"))).toMatchObject({ stdout: "done\n" });
    expect(isolation.launched).toBe(0);
  });
});
