import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandNotStartedError, type CommandRequest } from "@cleveragents/application";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProcessCommandRunner } from "./process-command-runner.ts";

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "runner-")));
  root = path.join(base, "root");
  mkdirSync(path.join(root, "sub"), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const HOST = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/home/somebody",
  LC_ALL: "C.UTF-8",
  API_KEY: "secret",
  GITHUB_TOKEN: "secret",
  NODE_OPTIONS: "--inspect",
};
const runner = new ProcessCommandRunner({ env: HOST, graceMs: 300 });

function run(command: CommandRequest["command"], more: Partial<CommandRequest> = {}) {
  return runner.run({
    command,
    root,
    projectRoot: "/nowhere",
    timeoutMs: 15_000,
    network: false,
    signal: new AbortController().signal,
    ...more,
  });
}

it("git in a command does not find a repository that lies around the copy", async () => {
  const { execFileSync } = await import("node:child_process");
  execFileSync("git", ["init", "-q", base]);
  for (const cwd of [".", "sub"]) {
    const { exitCode, stderr } = await run("git rev-parse --show-toplevel", { cwd });
    expect(exitCode).toBe(128);
    expect(stderr).toContain("not a git repository");
  }
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
async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && runs(pid); tries += 1) await sleep(20);
  return !runs(pid);
}

describe("ProcessCommandRunner: results", () => {
  it("gives exit code and both streams", async () => {
    const result = await run("echo out; echo err >&2; exit 3");
    expect(result).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      cancelled: false,
      stdout: "out\n",
      stderr: "err\n",
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
  });

  it("runs a list as it stands, without a shell", async () => {
    expect((await run(["printf", "%s|", "$HOME", "a b", "*"])).stdout).toBe("$HOME|a b|*|");
  });

  it("names the signal that ended a command", async () => {
    expect(await run("kill -9 $$")).toMatchObject({
      exitCode: null,
      signal: "SIGKILL",
      timedOut: false,
      cancelled: false,
    });
  });

  it("gives an empty standard input, so that nothing waits for a person", async () => {
    expect(await run("cat; echo done")).toMatchObject({ exitCode: 0, stdout: "done\n" });
  });

  it("tells output while the command still runs, whole characters only", async () => {
    const heard: [string, string][] = [];
    const result = await run("printf '\\342\\202'; sleep 0.2; printf '\\254'; echo err >&2", {
      onOutput: (chunk, stream) => heard.push([stream, chunk]),
    });
    expect(heard.filter(([stream]) => stream === "stdout")).toEqual([["stdout", "€"]]);
    expect(heard.filter(([stream]) => stream === "stderr")).toEqual([["stderr", "err\n"]]);
    expect(result.stdout).toBe("€");
  });

  it("is not disturbed by a listener that throws", async () => {
    const result = await run("echo a; sleep 0.1; echo b", {
      onOutput: () => {
        throw new Error("bad listener");
      },
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: "a\nb\n" });
  });

  it("survives 50 MB of output, and keeps 64 KiB of it with its beginning and its end", async () => {
    const result = await run("echo begin; yes bbbbbbbb | head -c 50000000; echo; echo end");
    expect(result.exitCode).toBe(0);
    expect(Buffer.byteLength(result.stdout)).toBeLessThanOrEqual(64 * 1024);
    expect(result.stdout).toMatch(/^begin\n/);
    expect(result.stdout).toMatch(/\nend\n$/);
    expect(result.stdout).toMatch(/\n\[… 49\d{6} bytes cut …\]\n/);
  });

  it("reads what is left in the pipes when the command has ended", async () => {
    const result = await run(["/bin/sh", "-c", "head -c 60000 /dev/zero | tr '\\0' x"]);
    expect(result.stdout.length).toBe(60_000);
  });
});

describe("ProcessCommandRunner: the end of a process tree", () => {
  it("a time-out ends the whole group promptly, background children included", async () => {
    const result = await run("sleep 311 & echo $! > child; sleep 311", { timeoutMs: 300 });
    expect(result).toMatchObject({ exitCode: null, signal: "SIGTERM", timedOut: true, cancelled: false });
    expect(result.durationMs).toBeLessThan(5000);
    expect(await gone(await pidIn("child"))).toBe(true);
  });

  it("who ignores SIGTERM is killed after the grace", async () => {
    const result = await run("trap '' TERM; sleep 311 & echo $! > child; while :; do sleep 1; done", {
      timeoutMs: 200,
    });
    expect(result).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: true });
    expect(result.durationMs).toBeLessThan(5000);
    expect(await gone(await pidIn("child"))).toBe(true);
  });

  it("a child gets the grace to clean up even if the leader has gone at once", async () => {
    await run(
      "(trap 'sleep 0.1; echo clean > cleaned; exit' TERM; while :; do sleep 0.02; done) & sleep 311",
      { timeoutMs: 300 },
    );
    expect(existsSync(path.join(root, "cleaned"))).toBe(true);
  });

  it("cancelling ends it and says so", async () => {
    const controller = new AbortController();
    const running = run("sleep 311 & echo $! > child; sleep 311", { signal: controller.signal });
    const child = await pidIn("child");
    controller.abort();
    expect(await running).toMatchObject({ cancelled: true, timedOut: false });
    expect(await gone(child)).toBe(true);
  });

  it("a child left behind by a command that succeeded is killed, and not waited for", async () => {
    const result = await run("sleep 312 & echo $! > child; echo done");
    expect(result).toMatchObject({ exitCode: 0, stdout: "done\n", timedOut: false });
    expect(result.durationMs).toBeLessThan(5000);
    expect(await gone(await pidIn("child"))).toBe(true);
  });

  it("an escaped grandchild that holds the pipe open does not hold the result", async () => {
    const script = `
      const child = require("node:child_process").spawn("sleep", ["20"], { detached: true, stdio: "inherit" });
      require("node:fs").writeFileSync("escapee", String(child.pid));
      child.unref();
      console.log("done");`;
    const result = await run([process.execPath, "-e", script]);
    const escapee = await pidIn("escapee");
    try {
      expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
      expect(result.durationMs).toBeLessThan(8000);
      expect(runs(escapee)).toBe(true); // what level "none" cannot prevent, and why its probe says so
    } finally {
      process.kill(escapee, "SIGKILL");
    }
  });

  it("a time-out beyond what timers can hold does not fire at once", async () => {
    expect(await run("sleep 0.1; echo done", { timeoutMs: 2 ** 40 })).toMatchObject({
      timedOut: false,
      stdout: "done\n",
    });
  });
});

describe("ProcessCommandRunner: what a command is given", () => {
  it("sees an allow-list of the host's environment, and what was added", async () => {
    const { stdout } = await run(["env"], { env: { MODE: "test" } });
    const names = stdout
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(names.sort()).toEqual(["GIT_CEILING_DIRECTORIES", "HOME", "LC_ALL", "MODE", "PATH"]);
  });

  it("begins in the root, or in a directory below it", async () => {
    expect((await run("pwd -P")).stdout).toBe(`${root}\n`);
    expect((await run("pwd -P", { cwd: "sub" })).stdout).toBe(`${root}/sub\n`);
  });

  it("works in a root that is reached through a link", async () => {
    symlinkSync(root, path.join(base, "link"));
    expect((await run("pwd -P", { root: path.join(base, "link"), cwd: "sub" })).stdout).toBe(`${root}/sub\n`);
  });
});

describe("ProcessCommandRunner: nothing is started", () => {
  const refusals: [string, () => Promise<unknown>, RegExp][] = [
    ["in a directory above the root", () => run("touch x", { cwd: ".." }), /outside of the sandbox/],
    [
      "in a sibling with the same prefix",
      () => run("touch x", { cwd: "../root-old" }),
      /outside of the sandbox/,
    ],
    ["in an absolute directory elsewhere", () => run("touch x", { cwd: "/tmp" }), /outside of the sandbox/],
    ["in a directory that does not exist", () => run("touch x", { cwd: "nowhere" }), /does not exist/],
    ["in a file", () => run("touch x", { cwd: "file" }), /not.*(found|started)|directory/],
    [
      "when the sandbox is gone",
      () => run("touch x", { root: path.join(base, "gone") }),
      /not there any more/,
    ],
    ["for an empty command", () => run(""), /is empty/],
    ["for an empty list", () => run([]), /is empty/],
    [
      "when a listed binary does not exist",
      () => run(["no-such-binary-here"]),
      /no-such-binary-here was not found/,
    ],
    ["when a listed file may not be executed", () => run(["./file"]), /may not be executed/],
    ["when it was cancelled before", () => run("touch x", { signal: AbortSignal.abort() }), /cancelled/],
  ];
  beforeEach(() => {
    mkdirSync(path.join(base, "root-old"));
    writeFileSync(path.join(root, "file"), "");
  });
  it.each(refusals)("%s", async (_, attempt, message) => {
    const failure = await attempt().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandNotStartedError);
    expect((failure as Error).message).toMatch(message);
    expect(existsSync(path.join(root, "x"))).toBe(false);
  });

  it("and a link does not lead the working directory out", async () => {
    symlinkSync(base, path.join(root, "out"));
    await expect(run("touch x", { cwd: "out" })).rejects.toThrow(/outside of the sandbox/);
  });

  it("while a shell that does not find a command is a result", async () => {
    expect(await run("no-such-binary-here")).toMatchObject({ exitCode: 127 });
  });
});

describe("ProcessCommandRunner: probe", () => {
  it("claims no enforcement, and says what that means", async () => {
    expect(await runner.probe()).toMatchObject({ level: "none", why: expect.stringMatching(/network/) });
  });
});
