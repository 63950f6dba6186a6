import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CommandGroup } from "./command-group.ts";
import { CommandGroups } from "./command-groups.ts";
import { cgroupPlaces } from "./find-cgroup.ts";
import { ProcessCommandRunner } from "./process-command-runner.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), "groups-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const remove = async (folder: string) => rmSync(folder, { recursive: true });

describe("where groups can be made", () => {
  const places = (cgroup: string, mountinfo: string, named?: string) => {
    writeFileSync(path.join(base, "cgroup"), cgroup);
    writeFileSync(path.join(base, "mountinfo"), mountinfo);
    return cgroupPlaces(named, base);
  };
  const mounted = (root: string, at: string) => `30 23 0:26 ${root} ${at} rw,relatime - cgroup2 cgroup rw\n`;

  test.each([
    [
      "beside its own",
      "0::/user.slice/app.slice/a.scope\n",
      mounted("/", "/sys/fs/cgroup"),
      "/sys/fs/cgroup/user.slice/app.slice",
    ],
    ["in its own, if that is the root", "1:pids:/\n0::/\n", mounted("/", "/sys/fs/cgroup"), "/sys/fs/cgroup"],
    [
      "below what is mounted",
      "0::/docker/x/agent\n",
      mounted("/docker/x", "/sys/fs/cgroup"),
      "/sys/fs/cgroup",
    ],
    ["where a space is in the way", "0::/a/b\n", mounted("/", "/mnt/c\\040g"), "/mnt/c g/a"],
  ])("is %s", async (_, cgroup, mountinfo, expected) => {
    expect(await places(cgroup, mountinfo)).toEqual([expected]);
  });

  test("is nowhere without cgroup v2, or where it is mounted for somebody else", async () => {
    expect(await places("4:memory:/x\n", mounted("/", "/sys/fs/cgroup"))).toEqual([]);
    expect(await places("0::/x\n", "30 23 0:26 / /sys rw - sysfs sysfs rw\n")).toEqual([]);
    expect(await places("0::/other\n", mounted("/docker/x", "/sys/fs/cgroup"))).toEqual([]);
  });

  test("is what the operator has named", async () => {
    expect(await places("0::/x\n", mounted("/", "/sys/fs/cgroup"), "/sys/fs/cgroup/mine")).toEqual([
      "/sys/fs/cgroup/mine",
    ]);
    expect(await places("0::/x\n", "", "mine")).toEqual([]);
  });
});

/** Files such as the kernel would make, so that what is written can be read again. */
async function pretended(): Promise<string> {
  const folder = path.join(base, "group");
  await CommandGroup.make(folder, { memoryMiB: 1, processes: 1 }, { memory: false, processes: false });
  for (const name of ["memory.max", "memory.oom.group", "pids.max", "cgroup.kill", "cgroup.procs"])
    writeFileSync(path.join(folder, name), "");
  return folder;
}

describe("a group", () => {
  test("takes a command in before it begins, and tells when memory ended it", async () => {
    const folder = await pretended();
    const group = CommandGroup.at(folder, remove);
    const [file, ...args] = [...group.before, "/bin/sh", "-c", "echo $$ $0", "a b"] as unknown as [
      string,
      ...string[],
    ];
    const said = execFileSync(file, args, { encoding: "utf8", env: {} });
    expect(said).toBe(`${readFileSync(path.join(folder, "cgroup.procs"), "utf8").trim()} a b\n`);
    expect(await group.breach()).toBeUndefined();
    writeFileSync(path.join(folder, "memory.events"), "oom 3\noom_kill 0\n");
    expect(await group.breach()).toBeUndefined();
    writeFileSync(path.join(folder, "memory.events"), "oom 3\noom_kill 2\noom_group_kill 1\n");
    expect(await group.breach()).toBe("memory");
  });

  test("is killed as a whole, or each of its processes where the kernel cannot do that", async () => {
    const folder = await pretended();
    let killed = "";
    await CommandGroup.at(folder, async (at) => {
      killed = readFileSync(path.join(at, "cgroup.kill"), "utf8");
      await remove(at);
    }).end();
    expect(killed).toBe("1");
    expect(existsSync(folder)).toBe(false);
    const sleeper = spawn("sleep", ["60"]);
    const ended = new Promise((resolve) => sleeper.once("exit", (_, signal) => resolve(signal)));
    mkdirSync(folder);
    writeFileSync(path.join(folder, "cgroup.procs"), `${sleeper.pid}\n`);
    await CommandGroup.at(folder, remove).end();
    expect(await ended).toBe("SIGKILL");
  });

  test("that cannot be limited as was asked is not there", async () => {
    const folder = path.join(base, "group");
    const limits = { memoryMiB: 64, processes: 7 };
    await expect(CommandGroup.make(folder, limits, { memory: true, processes: true })).rejects.toThrow(
      /ENOENT/,
    );
    expect(existsSync(folder)).toBe(false);
  });
});

describe("groups", () => {
  const none = { env: {}, programs: "/nowhere" };

  test("are none where nothing is delegated, and it is said", async () => {
    const groups = new CommandGroups({ ...none, places: [path.join(base, "missing")] });
    expect(await groups.open()).toBeUndefined();
    expect(await groups.holds()).toMatch(/no cgroup is delegated/);
  });

  test("are scopes of systemd where that limits, and commands get nothing of how it was reached", async () => {
    const systemd = path.join(base, "systemd-run");
    const limits = "1073741824\\n100\\n";
    writeFileSync(
      systemd,
      `#!/bin/sh\necho "$XDG_RUNTIME_DIR $*" >> ${base}/calls\nwhile [ "$1" != -- ]; do shift; done; shift\ncase "$*" in *memory.max*) printf '${limits}';; *) export INVOCATION_ID=x; exec "$@";; esac\n`,
    );
    chmodSync(systemd, 0o755);
    const groups = new CommandGroups({ env: { XDG_RUNTIME_DIR: "/run/user/7" }, places: [], programs: base });
    expect(await groups.holds()).toBe("memory and processes of a whole command are limited by systemd");
    const opened = await groups.open({ memoryMiB: 64, processes: 7 });
    const [file, ...args] = [...(opened?.before ?? []), "/usr/bin/env"] as unknown as [string, ...string[]];
    const said = execFileSync(file, args, { encoding: "utf8", env: { KEPT: "1" } });
    expect(said).toContain("KEPT=1\n");
    expect(said).not.toContain("INVOCATION_ID");
    expect(readFileSync(path.join(base, "calls"), "utf8")).toMatch(
      /--scope .*-p MemoryMax=64M -p TasksMax=7 -- /,
    );
  });

  test("are no scopes where systemd starts them and limits nothing", async () => {
    const systemd = path.join(base, "systemd-run");
    writeFileSync(systemd, '#!/bin/sh\nprintf "max\\nmax\\n"\n');
    chmodSync(systemd, 0o755);
    const groups = new CommandGroups({ env: { XDG_RUNTIME_DIR: "/run/user/7" }, places: [], programs: base });
    expect(await groups.open()).toBeUndefined();
  });
});

/** A folder of the real cgroup v2 in which this process may make groups; undefined where there is none. */
async function realFolder(): Promise<string | undefined> {
  for (const place of await cgroupPlaces(undefined)) {
    const probe = path.join(place, `cleveragents-test-${process.pid}`);
    try {
      mkdirSync(probe);
      execFileSync("/bin/sh", ["-c", `echo $$ > '${probe}/cgroup.procs'`], { stdio: "ignore" });
      execFileSync("rmdir", [probe]);
      return place;
    } catch {
      rmSync(probe, { force: true, recursive: false, maxRetries: 0 });
    }
  }
  return undefined;
}
const real = await realFolder().catch(() => undefined);

describe.skipIf(real === undefined)(
  `a real cgroup ${real === undefined ? "(none may be made here)" : ""}`,
  () => {
    test("ends whoever has left session, group and environment, and goes", async () => {
      const groups = new CommandGroups({ env: {}, programs: "/nowhere" });
      const runner = new ProcessCommandRunner({ env: { PATH: "/usr/bin:/bin" }, groups });
      const leaving = `env -i setsid sh -c 'while :; do echo x >> ${base}/beat; sleep 0.02; done' & while [ ! -e ${base}/beat ]; do sleep 0.02; done; exit 3`;
      const result = await runner.run({
        command: leaving,
        root: base,
        projectRoot: base,
        timeoutMs: 30_000,
        network: true,
        signal: new AbortController().signal,
      });
      expect(result.exitCode).toBe(3);
      const beats = readFileSync(path.join(base, "beat")).length;
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(readFileSync(path.join(base, "beat")).length).toBe(beats);
      const mine = readdirSync(real as string).filter((name) => name.includes(`-${process.pid}-`));
      expect(mine).toEqual([]);
    });

    test("of a process that is gone is ended by the next", async () => {
      const left = path.join(
        real as string,
        `cleveragents-${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}-4194304-1-0123abcd`,
      );
      mkdirSync(left);
      const sleeper = spawn("/bin/sh", ["-c", `echo $$ > '${left}/cgroup.procs'; exec sleep 60`]);
      const ended = new Promise((resolve) => sleeper.once("exit", (_, signal) => resolve(signal)));
      await expect
        .poll(() => readFileSync(path.join(left, "cgroup.procs"), "utf8"), { timeout: 20_000 })
        .toMatch(/\d/);
      await new CommandGroups({ env: {}, programs: "/nowhere" }).holds();
      expect(await ended).toBe("SIGKILL");
      expect(existsSync(left)).toBe(false);
    });
  },
);
