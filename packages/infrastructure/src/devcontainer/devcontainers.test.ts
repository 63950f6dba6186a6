import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { CommandEnvironment, CommandRequest } from "@cleveragents/application";
import { FakeEngine } from "@cleveragents/testing/services";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProcessCommandRunner } from "../process/index.ts";
import { DevcontainerLauncher } from "./devcontainer-launcher.ts";
import { Devcontainers } from "./devcontainers.ts";

const CONFIG = ".devcontainer/devcontainer.json";
const environment: CommandEnvironment = {
  kind: "devcontainer",
  name: "default",
  config: CONFIG,
  planId: "plan-1",
  contextId: "session-1",
};

let base: string;
let project: string;
let root: string;
let engine: FakeEngine;
let containers: Devcontainers;
let runner: ProcessCommandRunner;
let warnings: unknown[];

function make(more: { path?: string; hostAccess?: boolean; stopMs?: number } = {}): void {
  const env = { PATH: more.path ?? `${engine.bin}:${process.env["PATH"]}`, SECRET_TOKEN: "hunter22" };
  const logger = { debug() {}, info() {}, warn: (...said: unknown[]) => warnings.push(said), error() {} };
  containers = new Devcontainers({ env, dataDir: path.join(base, "data"), logger, ...more });
  runner = new ProcessCommandRunner({
    env,
    environments: new DevcontainerLauncher(containers),
    graceMs: 300,
  });
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "devcontainer-")));
  project = path.join(base, "project");
  root = path.join(base, "copy");
  for (const folder of [path.join(project, ".devcontainer"), path.join(root, "sub")])
    mkdirSync(folder, { recursive: true });
  describeContainer({ image: "debian" });
  warnings = [];
  engine = new FakeEngine(path.join(base, "fake"));
  make();
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function describeContainer(config: object): void {
  writeFileSync(path.join(project, CONFIG), JSON.stringify(config));
}
const run = (command: CommandRequest["command"], more: Partial<CommandRequest> = {}) =>
  runner.run({
    command,
    root,
    projectRoot: project,
    timeoutMs: 60_000,
    network: false,
    environment,
    signal: new AbortController().signal,
    ...more,
  });
const asked = (program: string, command: string) =>
  engine.calls().filter((call) => call[0] === program && call[1] === command);

describe("commands in a dev container", () => {
  it("run in the folder that was asked for, with their environment, output and exit code", async () => {
    const result = await run('echo "$GREETING from $(basename "$PWD")"; echo err >&2; exit 3', {
      cwd: "sub",
      env: { GREETING: "hi" },
    });
    expect(result).toMatchObject({
      exitCode: 3,
      stdout: "hi from sub\n",
      stderr: "err\n",
      timedOut: false,
      cancelled: false,
    });
  });

  it("share one container, which the first of them starts around the plan's copy", async () => {
    expect(engine.calls()).toEqual([]);
    await run("true");
    await run(["sh", "-c", "true"]);
    expect(asked("devcontainer", "up")).toHaveLength(1);
    expect(asked("devcontainer", "up")[0]).toEqual(
      expect.arrayContaining(["--workspace-folder", root, "--config", path.join(project, CONFIG)]),
    );
    expect(engine.containers()).toMatchObject([
      { labels: [expect.anything(), "cleveragents.plan=plan-1", "cleveragents.session=session-1"] },
    ]);
  });

  it("start it again when somebody has stopped it", async () => {
    await run("true");
    await containers.stop({ planId: "plan-1" });
    expect(engine.containers()).toMatchObject([{ running: false }]);
    expect((await run("echo again")).stdout).toBe("again\n");
    expect(engine.containers()).toMatchObject([{ id: "c1", running: true }]);
  });

  it("go by the description that the project has, not by what the plan has made of its copy", async () => {
    mkdirSync(path.join(root, ".devcontainer"));
    writeFileSync(path.join(root, CONFIG), JSON.stringify({ privileged: true }));
    expect((await run("true")).exitCode).toBe(0);
  });

  it("know nothing of the host's environment but what every command may", async () => {
    expect((await run("env")).stdout).not.toContain("hunter22");
  });

  it("are ended inside when they are cancelled or take too long", async () => {
    const stop = new AbortController();
    const pid = path.join(root, "pid");
    const waits = `sh -c 'echo $$ > ${pid}; exec sleep 1000' & wait`;
    const cancelled = run(waits, { signal: stop.signal });
    await expect.poll(() => engineRead(pid)).toMatch(/\d+\n/);
    const inner = Number(engineRead(pid));
    stop.abort();
    expect(await cancelled).toMatchObject({ cancelled: true });
    await expect.poll(() => isThere(inner)).toBe(false);
    expect(await run("sleep 1000", { timeoutMs: 500 })).toMatchObject({ timedOut: true });
  });

  it("leave nobody behind when they end", async () => {
    const pid = path.join(root, "pid");
    await run(`setsid sleep 1000 < /dev/null > /dev/null 2>&1 & echo $! > ${pid}`);
    const inner = Number(engineRead(pid));
    await expect.poll(() => isThere(inner)).toBe(false);
  });

  it("are refused in a phase that only reads", async () => {
    await expect(run("true", { readOnly: true })).rejects.toThrow("keeps no command from writing");
    expect(engine.calls()).toEqual([]);
  });
});

describe("a dev container that cannot be had", () => {
  it.each(["devcontainer", "docker"])("runs nothing on the host where %s is missing", async (missing) => {
    rmSync(path.join(engine.bin, missing));
    make({ path: engine.bin });
    await expect(run("touch ran")).rejects.toThrow(`${missing}`);
    expect(engineRead(path.join(root, "ran"))).toBe("");
  });

  it("says why it did not start, without this host's places, and can be tried again", async () => {
    engine.breaks("devcontainer", "up", "fails");
    const failure = await run("touch ran").catch((error: Error) => error);
    expect(failure).toMatchObject({
      name: "CommandNotStartedError",
      message: `the dev container: it could not be started: no daemon for ${project}`,
    });
    engine.breaks("devcontainer", "up", undefined);
    expect((await run("echo ok")).stdout).toBe("ok\n");
  });

  it("says that the disk is full, which its plan's record or the engine finds, and leaves nothing", async () => {
    const data = path.join(base, "data");
    mkdirSync(data);
    // What every write to the device finds that it is.
    mkdirSync(path.join(data, "devcontainers"));
    symlinkSync("/dev/full", path.join(data, "devcontainers", "plan-1.json.new"));
    const refused = run("touch ran");
    await expect(refused).rejects.toThrow(
      /dev container could not be started: The disk is full; free some space/,
    );
    await expect(refused).rejects.not.toThrow(base);
    expect(asked("devcontainer", "up")).toEqual([]);
    expect(readdirSync(path.join(data, "devcontainers"))).toEqual([]);
    for (const command of ["up", "run-user-commands"]) {
      engine.breaks("devcontainer", command, "full");
      await expect(run("touch ran")).rejects.toThrow(/: .*no space left on device/);
      expect(engine.containers()).toEqual([]);
      expect(readdirSync(path.join(data, "devcontainers"))).toEqual([]);
      engine.breaks("devcontainer", command, undefined);
    }
    expect((await run("echo ok")).stdout).toBe("ok\n");
  });

  it("is given up when the plan is cancelled while it starts", async () => {
    engine.breaks("devcontainer", "up", "hangs");
    const stop = new AbortController();
    const waiting = run("touch ran", { signal: stop.signal });
    await expect.poll(() => asked("devcontainer", "up").length).toBe(1);
    stop.abort();
    await expect(waiting).rejects.toThrow();
    expect(engineRead(path.join(root, "ran"))).toBe("");
  });

  it.each([
    ["initializeCommand", { initializeCommand: "touch /tmp/x" }],
    ["privileged", { privileged: true }],
    ["mounts", { mounts: ["source=/,target=/host,type=bind"] }],
    ["mounts", { mounts: [{ source: "/var/run/docker.sock", target: "/s" }] }],
    ["runArgs", { runArgs: ["--init", "-v", "/:/host"] }],
    ["runArgs", { runArgs: ["--memory", "1g", "--network=host"] }],
    ["workspaceMount", { workspaceMount: "source=/,target=/w,type=bind" }],
    ["dockerComposeFile", { dockerComposeFile: "compose.yml" }],
    ["capAdd", { capAdd: ["SYS_ADMIN"] }],
    ["securityOpt", { securityOpt: ["seccomp=unconfined"] }],
  ])("is not started when %s reaches out to the host, unless the operator lets it", async (field, config) => {
    describeContainer(config);
    await expect(run("true")).rejects.toThrow(`\`${field}\``);
    expect(engine.calls()).toEqual([]);
    make({ hostAccess: true });
    expect((await run("true")).exitCode).toBe(0);
  });

  it("may have volumes, limits and variables of its own", async () => {
    describeContainer({
      mounts: ["source=cache,target=/c,type=volume"],
      runArgs: ["--memory", "1g", "--init"],
    });
    expect((await run("true")).exitCode).toBe(0);
  });

  it("is removed before its set-up runs when its image or a feature reaches out to the host", async () => {
    engine.inspects([{ HostConfig: { Privileged: true }, Mounts: [{ Type: "bind", Source: root }] }]);
    await expect(run("touch ran")).rejects.toThrow("it is privileged");
    engine.inspects([{ Mounts: [{ Type: "bind", Source: "/" }] }]);
    await expect(run("touch ran")).rejects.toThrow("other folders of the host");
    expect(asked("devcontainer", "run-user-commands")).toEqual([]);
    expect(asked("devcontainer", "exec")).toEqual([]);
    expect(engine.containers()).toEqual([]);
  });
});

describe("dev containers that are no longer needed", () => {
  it("are stopped with their session, and removed with their plan", async () => {
    await run("true");
    await run("true", { environment: { ...environment, planId: "plan-2", contextId: "session-2" } });
    await containers.stop({ contextId: "session-1" });
    expect(engine.containers().map(({ running }) => running)).toEqual([false, true]);
    await containers.stop({ planId: "plan-1", forGood: true });
    expect(engine.containers()).toMatchObject([{ id: "c2" }]);
  });

  it("ask no engine for a plan that has none", async () => {
    await containers.stop({ planId: "other", forGood: true });
    await containers.stop({ contextId: "other" });
    expect(engine.calls()).toEqual([]);
  });

  it.each(["fails", "hangs"] as const)("are given up with a line in the log when docker %s", async (how) => {
    make({ stopMs: 1000 });
    await run("true");
    engine.breaks("docker", "stop", how);
    await containers.stop({ contextId: "session-1" });
    expect(warnings).toHaveLength(1);
  });

  it("are swept up at the next start, when their plan is over", async () => {
    await run("true");
    await run("true", { environment: { ...environment, planId: "plan-2" } });
    make();
    await containers.sweep(async (planId) => planId === "plan-1");
    expect(engine.containers()).toMatchObject([{ id: "c2", running: true }]);
    expect(containers.leftBehind("plan-2")).toBe(true);
    expect(containers.leftBehind("plan-3")).toBe(false);
  });
});

describe("dev containers of a project", () => {
  it("are found in their three places without starting anything", async () => {
    writeFileSync(path.join(project, CONFIG), '\uFEFF{\n  // comment\n  "name": "Main", /* x */ }');
    writeFileSync(path.join(project, ".devcontainer.json"), "{}");
    mkdirSync(path.join(project, ".devcontainer", "gpu"));
    writeFileSync(path.join(project, ".devcontainer", "gpu", "devcontainer.json"), "{ nonsense");
    expect(await containers.detect(project)).toEqual([
      { kind: "devcontainer", name: "default", config: CONFIG, title: "Main" },
      {
        kind: "devcontainer",
        name: "gpu",
        config: ".devcontainer/gpu/devcontainer.json",
        unusable: ".devcontainer/gpu/devcontainer.json is no JSON (line 1)",
      },
    ]);
    expect(engine.calls()).toEqual([]);
  });

  it("are none where nothing describes one", async () => {
    expect(await containers.detect(root)).toEqual([]);
  });
});

function engineRead(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
