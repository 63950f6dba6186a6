import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandNotStartedError, type CommandRequest, type CommandRunner } from "@cleveragents/application";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** A runner, and a directory with `root`, which holds `sub`, as the sandbox of a project at `projectRoot`. */
export interface CommandRunnerHarness extends AsyncDisposable {
  /** Made with the host environment {@link HOST_ENVIRONMENT}. */
  readonly runner: CommandRunner;
  /** Real path. */
  readonly base: string;
  readonly root: string;
  readonly projectRoot: string;
  readonly supports: {
    /** Commands see the sandbox at the project's place. */
    readonly projectPath: boolean;
    /** A signal that ended a command is told as such; else as 128 and its number. */
    readonly signals: boolean;
    /** Also who has left the command's group, session and environment ends with it. */
    readonly sessions: boolean;
    /** A command can be kept from changing the sandbox. */
    readonly readOnly: boolean;
  };
}

export const HOST_ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/home/somebody",
  LC_ALL: "C.UTF-8",
  API_KEY: "secret",
  SERVICE_TOKEN: "tok-0123456789abcdef",
  GITHUB_TOKEN: "secret",
  NODE_OPTIONS: "--inspect",
};

/** Writes on and on; as long as it lives the file grows. */
const BEAT = "while :; do echo x >> beat; sleep 0.05; done";

/** What every `CommandRunner` owes, however much it isolates. */
export function commandRunnerSuite(open: () => Promise<CommandRunnerHarness>): void {
  let harness: CommandRunnerHarness;
  beforeEach(async () => {
    harness = await open();
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  const run = (command: CommandRequest["command"], more: Partial<CommandRequest> = {}) =>
    harness.runner.run({
      command,
      root: harness.root,
      projectRoot: harness.projectRoot,
      timeoutMs: 30_000,
      network: false,
      signal: new AbortController().signal,
      ...more,
    });
  const inRoot = (name: string) => path.join(harness.root, name);
  const beats = () => (existsSync(inRoot("beat")) ? statSync(inRoot("beat")).size : 0);
  async function begun(atLeast = 1): Promise<void> {
    while (beats() < atLeast) await sleep(20);
  }
  /** Whether the beat stops; what was being written when its writer was killed may still come. */
  async function isOver(): Promise<boolean> {
    await begun();
    for (let tries = 0; tries < 20; tries += 1) {
      const before = beats();
      await sleep(250);
      if (beats() === before) return true;
    }
    return false;
  }

  describe("results", () => {
    test("exit code and both streams are told", async () => {
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

    test("a list is run as it stands, without a shell", async () => {
      expect((await run(["printf", "%s|", "$HOME", "a b", "*"])).stdout).toBe("$HOME|a b|*|");
    });

    test("a signal that ended a command is told", async () => {
      const { exitCode, signal, timedOut } = await run("kill -9 $$");
      expect({ exitCode, signal, timedOut }).toEqual(
        harness.supports.signals
          ? { exitCode: null, signal: "SIGKILL", timedOut: false }
          : { exitCode: 137, signal: null, timedOut: false },
      );
    });

    test("standard input is empty, so that nothing waits for a person", async () => {
      expect(await run("cat; echo done")).toMatchObject({ exitCode: 0, stdout: "done\n" });
    });

    test("output is told while the command still runs, whole characters only", async () => {
      const heard: [string, string][] = [];
      const result = await run("printf '\\342\\202'; sleep 0.2; printf '\\254'; echo err >&2", {
        onOutput: (chunk, stream) => heard.push([stream, chunk]),
      });
      expect(heard.filter(([stream]) => stream === "stdout")).toEqual([["stdout", "€"]]);
      expect(heard.filter(([stream]) => stream === "stderr")).toEqual([["stderr", "err\n"]]);
      expect(result.stdout).toBe("€");
    });

    test("words that look like the runner's own are told all the same", async () => {
      const heard: string[] = [];
      const command = "echo 'bwrap: execvp x: No such file or directory' >&2; exit 1";
      const result = await run(command, { onOutput: (chunk) => heard.push(chunk) });
      expect(result).toMatchObject({
        exitCode: 1,
        stderr: "bwrap: execvp x: No such file or directory\n",
      });
      expect(heard.join("")).toBe(result.stderr);
    });

    test("a listener that throws disturbs nothing", async () => {
      const result = await run("echo a; sleep 0.1; echo b", {
        onOutput: () => {
          throw new Error("bad listener");
        },
      });
      expect(result).toMatchObject({ exitCode: 0, stdout: "a\nb\n" });
    });

    test("of 50 MB of output 64 KiB are kept, with the beginning and the end", async () => {
      const result = await run("echo begin; yes bbbbbbbb | head -c 50000000; echo; echo end");
      expect(result.exitCode).toBe(0);
      expect(Buffer.byteLength(result.stdout)).toBeLessThanOrEqual(64 * 1024);
      expect(result.stdout).toMatch(/^begin\n/);
      expect(result.stdout).toMatch(/\nend\n$/);
      expect(result.stdout).toMatch(/\n\[… 49\d{6} bytes cut …\]\n/);
    });

    test("secrets of the environments are taken out, also where they come in pieces", async () => {
      const heard: string[] = [];
      const result = await run(
        "printf 'a tok-01234'; sleep 0.2; printf '56789abcdef b\\n'; echo \"$MY_PASSWORD\" >&2; echo tok-0123",
        { env: { MY_PASSWORD: "passed-on-0815" }, onOutput: (chunk) => heard.push(chunk) },
      );
      expect(result.stdout).toBe("a [redacted] b\ntok-0123\n");
      expect(result.stderr).toBe("[redacted]\n");
      expect(heard.join("")).not.toMatch(/tok-0123456|passed-on/);
    });

    test("bytes that are no text are told as such, and the command goes on", async () => {
      const result = await run("printf 'a\\377\\000b\\n'");
      expect(result).toMatchObject({ exitCode: 0, stdout: "a\ufffd\0b\n" });
    });

    test("what is left in the pipes when the command has ended is read", async () => {
      const result = await run(["/bin/sh", "-c", "head -c 60000 /dev/zero | tr '\\0' x"]);
      expect(result.stdout.length).toBe(60_000);
    });
  });

  /** Cancels a command once so much of its beat is there; under load that is later than any time-out that would be short. */
  async function endedOnceBegun(command: string, atLeast = 1) {
    const controller = new AbortController();
    const running = run(command, { signal: controller.signal });
    await begun(atLeast);
    controller.abort();
    return await running;
  }

  describe("the end of a process tree", () => {
    test("a time-out ends background children too", async () => {
      const result = await run(`(${BEAT}) & sleep 311`, { timeoutMs: 2000 });
      expect(result).toMatchObject({ exitCode: null, signal: "SIGTERM", timedOut: true, cancelled: false });
      expect(await isOver()).toBe(true);
    });

    test("who ignores SIGTERM is killed after the grace", async () => {
      const result = await endedOnceBegun(`trap '' TERM; (${BEAT}) & while :; do sleep 1; done`);
      expect(result).toMatchObject({ exitCode: null, signal: "SIGKILL", cancelled: true });
      expect(await isOver()).toBe(true);
    });

    test("a child gets the grace to clean up even if the leader has gone at once, in a session of its own too", async () => {
      const cleans = (file: string) =>
        `trap 'sleep 0.1; echo clean > ${file}; exit' TERM; echo x >> beat; while :; do sleep 0.02; done`;
      const { cancelled } = await endedOnceBegun(
        `(${cleans("cleaned")}) & setsid sh -c "${cleans("away")}" & sleep 311`,
        4,
      );
      expect(cancelled).toBe(true);
      expect([existsSync(inRoot("cleaned")), existsSync(inRoot("away"))]).toEqual([true, true]);
    });

    test("cancelling ends it and says so", async () => {
      expect(await endedOnceBegun(`(${BEAT}) & sleep 311`)).toMatchObject({
        cancelled: true,
        timedOut: false,
      });
      expect(await isOver()).toBe(true);
    });

    test("a child left behind by a command that succeeded is killed, and not waited for", async () => {
      const result = await run(`(${BEAT}) & sleep 0.2; echo done`);
      expect(result).toMatchObject({ exitCode: 0, stdout: "done\n", timedOut: false });
      expect(await isOver()).toBe(true);
    });

    test("one that has made a session of its own does not hold the result", async () => {
      const result = await run("setsid sh -c 'echo x > beat; exec sleep 20' & sleep 0.3; echo done");
      expect(result).toMatchObject({ exitCode: 0, stdout: "done\n", timedOut: false });
    });

    test.each([
      ["in a session of its own", `setsid sh -c '${BEAT}' & sleep 0.3`],
      ["by forking twice", `(setsid sh -c '(${BEAT}) & exit' &) ; sleep 0.3`],
      [
        "deaf to hanging up and to being asked",
        `nohup setsid sh -c 'trap "" TERM HUP INT; ${BEAT}' >/dev/null 2>&1 & sleep 0.3`,
      ],
    ])("nobody outlives the command %s", async (_, command) => {
      await run(command);
      expect(await isOver()).toBe(true);
    });

    test("nor does who has emptied the environment, where that is promised", async (context) => {
      if (!harness.supports.sessions) context.skip("this runner cannot reach it");
      await run(`env -i PATH="$PATH" setsid sh -c '${BEAT}' & sleep 0.3`);
      expect(await isOver()).toBe(true);
    });

    test("nor does a session of its own outlive a cancellation", async () => {
      await endedOnceBegun(`setsid sh -c 'trap "" TERM; ${BEAT}' & sleep 311`);
      expect(await isOver()).toBe(true);
    });

    test("one that multiplies is ended at the limit of processes", async () => {
      const bomb = "i=0; while [ $i -lt 60 ]; do sleep 300 & i=$((i+1)); done; wait";
      const result = await run(bomb, { limits: { processes: 40 } });
      expect(result).toMatchObject({ limit: "processes", timedOut: false, cancelled: false });
    });

    test("a time-out beyond what timers can hold does not fire at once", async () => {
      expect(await run("sleep 0.1; echo done", { timeoutMs: 2 ** 40 })).toMatchObject({
        timedOut: false,
        stdout: "done\n",
      });
    });
  });

  describe("what a command is given", () => {
    test("an allow-list of the host's environment, and what was added", async () => {
      const { stdout } = await run(["env"], { env: { MODE: "test", TWO: "two\nlines" } });
      const names = [...stdout.matchAll(/^([A-Z_]+)=/gm)]
        .map((match) => match[1])
        .filter((name) => name !== "PWD"); // says what the directory is, and nothing of the host
      expect(new Set(names)).toEqual(
        new Set([
          ...["GIT_CEILING_DIRECTORIES", "HOME", "LC_ALL", "MODE", "PATH", "TWO"],
          ...(harness.supports.sessions ? [] : ["CLEVERAGENTS_COMMAND"]),
        ]),
      );
      expect(stdout).toContain("TWO=two\nlines\n");
      expect(stdout).not.toContain("secret");
    });

    test("the root to begin in, or a directory below it", async () => {
      const seen = harness.supports.projectPath ? harness.projectRoot : harness.root;
      expect((await run("pwd -P")).stdout).toBe(`${seen}\n`);
      expect((await run("pwd -P", { cwd: "sub" })).stdout).toBe(`${seen}/sub\n`);
      symlinkSync(harness.root, path.join(harness.base, "link"));
      const linked = { root: path.join(harness.base, "link"), cwd: "sub" };
      expect((await run("pwd -P", linked)).stdout).toBe(`${seen}/sub\n`);
    });

    test("files to read and to write, which lie in the root then", async () => {
      writeFileSync(inRoot("given"), "given\n");
      const result = await run(
        "cat given > sub/copied && rm given && ln -s sub/copied link && chmod 755 sub/copied",
      );
      expect(result).toMatchObject({ exitCode: 0, stderr: "" });
      expect(existsSync(inRoot("given"))).toBe(false);
      expect(readFileSync(inRoot("link"), "utf8")).toBe("given\n");
      expect(statSync(inRoot("sub/copied")).mode & 0o777).toBe(0o755);
    });

    test("no repository that lies around the copy or the project", async () => {
      execFileSync("git", ["init", "-q", harness.base]);
      for (const cwd of [".", "sub"]) {
        const { exitCode, stderr } = await run("git rev-parse --show-toplevel", { cwd });
        expect(exitCode).toBe(128);
        expect(stderr).toContain("not a git repository");
      }
    });
  });

  describe("what a command may use", () => {
    test("has defaults, which a request can change", async (context) => {
      const soft = async (limits?: CommandRequest["limits"]) =>
        (await run("ulimit -n; ulimit -c; ulimit -d; ulimit -f", limits === undefined ? {} : { limits }))
          .stdout;
      const usual = await soft();
      if (usual.includes("unlimited")) context.skip("prlimit is not installed");
      expect(usual.split("\n").slice(0, 2)).toEqual([expect.stringMatching(/^\d+$/), "0"]);
      const asked = await soft({ openFiles: 64, memoryMiB: 100, fileSizeMiB: 1 });
      expect(asked).toBe(`64\n0\n${100 * 1024}\n${2048}\n`);
    });

    test("ends a file that grows beyond its limit", async () => {
      const result = await run("head -c 3000000 /dev/zero > big; echo after", { limits: { fileSizeMiB: 1 } });
      expect(result.exitCode).toBe(0);
      expect(statSync(inRoot("big")).size).toBeLessThanOrEqual(1024 * 1024);
    });
  });

  describe("a sandbox that can only be read", () => {
    test("is not changed by a command that tries, or the command is not started", async () => {
      writeFileSync(inRoot("kept"), "kept");
      const attempt = run("cat kept; echo x > kept; rm -f kept; mkdir sub/made; touch made; ln -s / out", {
        readOnly: true,
      });
      if (harness.supports.readOnly) expect((await attempt).stdout).toBe("kept");
      else await expect(attempt).rejects.toBeInstanceOf(CommandNotStartedError);
      expect(readFileSync(inRoot("kept"), "utf8")).toBe("kept");
      for (const name of ["sub/made", "made", "out"]) expect(existsSync(inRoot(name)), name).toBe(false);
    });
  });

  describe("nothing is started", () => {
    const refusals: [string, () => Promise<unknown>, RegExp][] = [
      ["in a directory above the root", () => run("touch x", { cwd: ".." }), /outside of the sandbox/],
      ["in a sibling of it", () => run("touch x", { cwd: "../root-old" }), /outside of the sandbox/],
      ["in an absolute directory elsewhere", () => run("touch x", { cwd: "/tmp" }), /outside of the sandbox/],
      ["in a directory that does not exist", () => run("touch x", { cwd: "nowhere" }), /does not exist/],
      ["in a file", () => run("touch x", { cwd: "file" }), /not a directory/],
      ["where a link leads out", () => run("touch x", { cwd: "out" }), /outside of the sandbox/],
      [
        "when the sandbox is gone",
        () => run("touch x", { root: path.join(harness.base, "gone") }),
        /not there any more/,
      ],
      ["for an empty command", () => run(""), /is empty/],
      ["for an empty list", () => run([]), /is empty/],
      ["when a listed binary does not exist", () => run(["no-such-binary"]), /no-such-binary was not found/],
      ["when a listed file may not be executed", () => run(["./file"]), /may not be executed/],
      ["when it was cancelled before", () => run("touch x", { signal: AbortSignal.abort() }), /cancelled/],
    ];
    beforeEach(() => {
      mkdirSync(path.join(harness.base, "root-old"));
      writeFileSync(inRoot("file"), "");
      symlinkSync(harness.base, inRoot("out"));
    });
    test.each(refusals)("%s", async (_, attempt, message) => {
      const failure = await attempt().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(CommandNotStartedError);
      expect((failure as Error).message).toMatch(message);
      expect(existsSync(inRoot("x"))).toBe(false);
    });

    test("and the output then says nothing of how", async () => {
      const heard: string[] = [];
      await run(["no-such-binary"], { onOutput: (chunk) => heard.push(chunk) }).catch(() => undefined);
      expect(heard).toEqual([]);
    });

    test("while a shell that does not find a command is a result", async () => {
      expect(await run("no-such-binary-here")).toMatchObject({ exitCode: 127 });
    });
  });
}
