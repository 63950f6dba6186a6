import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  CommandNotStartedError,
  type CommandRequest,
  type CommandResult,
  type CommandRunner,
  type Sandbox,
  type ToolContext,
  ToolError,
} from "@cleveragents/application";
import { type JsonObject, STEP_SCHEMAS } from "@cleveragents/domain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProcessCommandRunner } from "../process/index.ts";
import { shellTool } from "./shell.ts";

class ScriptedRunner implements CommandRunner {
  readonly requests: CommandRequest[] = [];
  next: Partial<CommandResult> | Error = {};
  async probe() {
    return { level: "none" as const, why: "scripted" };
  }
  async run(request: CommandRequest): Promise<CommandResult> {
    this.requests.push(request);
    if (this.next instanceof Error) throw this.next;
    return {
      exitCode: 0,
      signal: null,
      timedOut: false,
      cancelled: false,
      stdout: "",
      stderr: "",
      durationMs: 5,
      ...this.next,
    };
  }
}

let base: string;
let root: string;
let outside: string;
let commands: ScriptedRunner;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "shell-")));
  root = path.join(base, "root");
  outside = path.join(base, "outside");
  for (const directory of [root, outside]) mkdirSync(directory);
  commands = new ScriptedRunner();
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const at = (relative: string): string => path.join(root, relative);

/** As the registry does it: the arguments pass the schema first. */
async function call(args: JsonObject, more: Partial<ToolContext> = {}, runner: CommandRunner = commands) {
  const sandbox = { root, projectRoot: path.join(base, "project") } as Sandbox; // tools take nothing else of it
  const context: ToolContext = {
    planId: "plan",
    sandbox,
    signal: new AbortController().signal,
    network: false,
    ...more,
  };
  return await shellTool(runner).call(STEP_SCHEMAS.run.parse(args) as JsonObject, context);
}
async function refusal(args: JsonObject, more?: Partial<ToolContext>): Promise<ToolError> {
  const error: unknown = await call(args, more).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ToolError);
  return error as ToolError;
}
const reason = async (args: JsonObject): Promise<string> => (await refusal(args)).reason;

describe("shell", () => {
  it("hands the command to the runner, in the sandbox", async () => {
    mkdirSync(at("sub"));
    commands.next = { stdout: "out", stderr: "err", durationMs: 7 };
    const result = await call({
      command: "npm test",
      cwd: path.join(base, "project/sub"),
      env: { A: "1" },
      timeout: 2.5,
    });
    expect(result).toEqual({
      value: { exitCode: 0, stdout: "out", stderr: "err", durationMs: 7 },
      summary: "ran `npm test` (exit code 0)",
    });
    expect(commands.requests[0]).toMatchObject({
      command: "npm test",
      root,
      projectRoot: path.join(base, "project"),
      cwd: "sub",
      env: { A: "1" },
      timeoutMs: 2500,
      network: false,
    });
  });

  it("gives the network only where the context does", async () => {
    await call({ command: "x" }, { network: true });
    expect(commands.requests[0]).toMatchObject({ network: true });
  });

  it("fails for an exit code that was not expected, with the end of the output", async () => {
    commands.next = { exitCode: 2, stdout: `${"x".repeat(10_000)}end`, stderr: "bad" };
    const failure = await refusal({ command: ["false", "now"] });
    expect(failure).toMatchObject({
      reason: "COMMAND_FAILED",
      message: "`false now` ended with exit code 2",
      details: { exitCode: 2, stderr: "bad" },
    });
    expect(failure.details["stdout"]).toMatch(/^…x{3997}end$/);
  });

  it("takes the exit codes that were expected", async () => {
    commands.next = { exitCode: 1 };
    expect((await call({ command: "x", expect: [0, 1] })).value).toMatchObject({ exitCode: 1 });
    expect((await call({ command: "x", expect: "any" })).value).toMatchObject({ exitCode: 1 });
    expect(await reason({ command: "x", expect: [0] })).toBe("COMMAND_FAILED");
  });

  it("a command that a signal ended has failed", async () => {
    commands.next = { exitCode: null, signal: "SIGSEGV" };
    expect(await refusal({ command: "x" })).toMatchObject({
      reason: "COMMAND_FAILED",
      message: "`x` was ended by SIGSEGV",
    });
  });

  it("tells a time-out and a cancellation apart from a failure", async () => {
    commands.next = { exitCode: null, signal: "SIGTERM", timedOut: true, stdout: "so far" };
    expect(await refusal({ command: "x", timeout: 3, expect: "any" })).toMatchObject({
      reason: "COMMAND_TIMEOUT",
      details: { stdout: "so far" },
    });
    commands.next = { exitCode: null, signal: "SIGTERM", cancelled: true };
    expect((await refusal({ command: "x" })).reason).toBe("CANCELLED");
  });

  it("a command that never started is COMMAND_NOT_STARTED, or CANCELLED if that is why", async () => {
    commands.next = new CommandNotStartedError("the command x was not found");
    expect(await refusal({ command: ["x"] })).toMatchObject({
      reason: "COMMAND_NOT_STARTED",
      message: "the command x was not found",
    });
    const controller = new AbortController();
    const running = refusal({ command: ["x"] }, { signal: controller.signal });
    controller.abort();
    expect((await running).reason).toBe("CANCELLED");
  });

  it("a bug of the runner stays a bug", async () => {
    commands.next = new TypeError("bug");
    await expect(call({ command: "x" })).rejects.toBeInstanceOf(TypeError);
  });

  it("does not begin in a directory outside", async () => {
    symlinkSync(outside, at("out"));
    expect(await reason({ command: "x", cwd: "out" })).toBe("PATH_ESCAPE");
    expect(await reason({ command: "x", cwd: ".." })).toBe("PATH_ESCAPE");
    expect(commands.requests).toEqual([]);
  });

  it("names a long command by its beginning, in one line", async () => {
    expect((await call({ command: `echo ${"😀".repeat(100)}\nsecond` })).summary).toBe(
      `ran \`echo ${"😀".repeat(75)}…\` (exit code 0)`,
    );
  });

  it("runs real commands, and hands on their output as it comes", async () => {
    const heard: string[] = [];
    const runner = new ProcessCommandRunner({ env: { PATH: "/usr/local/bin:/usr/bin:/bin" } });
    const { value } = await call({ command: "pwd -P" }, { onOutput: (chunk) => heard.push(chunk) }, runner);
    expect(value).toMatchObject({ exitCode: 0, stdout: `${root}\n`, stderr: "" });
    expect(heard.join("")).toContain(root);
  });
});
