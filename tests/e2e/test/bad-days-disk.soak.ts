import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  endOwners,
  newPlan,
  noMount,
  SmallDisk,
  statusOf,
  usedPlan,
  waitsForApply,
} from "./bad-days-support.ts";
import { AGENTS, isAlive, Place, type Ran, until } from "./support.ts";

const SLOW = 180_000;
const IDLE = { CLEVERAGENTS_IDLE_SECONDS: "600" };

function reasonOf({ stdout }: Ran): unknown {
  return (JSON.parse(stdout) as { error?: { code: string } }).error?.code;
}

describe.skipIf(noMount !== undefined)(
  `a full disk${noMount === undefined ? "" : ` (skipped: ${noMount})`}`,
  () => {
    test("of the data directory fails what writes, by itself; reading goes on, and writing when there is space", {
      timeout: SLOW,
    }, async () => {
      await using place = new Place(IDLE);
      using disk = new SmallDisk(place.dataDir, "16m");
      const id = await usedPlan(
        place,
        join(place.dir, "project"),
        "    - write: { path: b.txt, content: b }\n",
      );
      const { pid } = place.discovery();
      disk.fill();
      // What the store's own files still have room for may be written, and a checkpoint makes some.
      const full = () => until(async () => (await place.agents(["session", "create"])).code !== 0);
      for (const args of [
        ["plan", "use", "it"],
        ["plan", "execute", id],
        ["plan", "cancel", id],
        ["session", "create"],
      ]) {
        await full();
        const ran = await place.agents([...args, "-o", "json"]);
        expect(ran.code, `${args.join(" ")}: ${ran.stdout}${ran.stderr}`).toBe(1);
        expect(reasonOf(ran), args.join(" ")).toBe("NO_SPACE");
        expect(ran.stderr).toMatch(/disk is full.*\nhint: free space/);
        expect(ran.stdout + ran.stderr).not.toContain(place.dataDir);
      }
      expect((await place.agents(["plan", "list"])).stdout).toMatch(/\bit +p\b/);
      const health = await place.agents(["health", "check"]);
      expect(health.stdout).toMatch(/store +error +The agent's disk is full +free space/);
      disk.free();
      expect((await place.agents(["health", "check"])).stdout).toMatch(/store +ok/);
      expect((await place.agents(["plan", "execute", id])).code).toBe(0);
      await waitsForApply(place, id);
      expect(place.discovery().pid).toBe(pid);
    });

    test("or a read-only one refuses to start, says which directory and what to do, and serves when the cause is gone", {
      timeout: SLOW,
    }, async () => {
      await using place = new Place(IDLE);
      using disk = new SmallDisk(place.dataDir, "16m");
      const refused = async (what: RegExp) => {
        const ran = await place.agents(["plan", "list"]);
        expect(ran, ran.stderr).toMatchObject({ code: 3, stdout: "" });
        expect(ran.stderr).toContain(`the data directory ${place.dataDir} cannot be used`);
        expect(ran.stderr).toMatch(what);
      };
      disk.fill();
      await refused(/its disk is full\nhint: free some space/);
      disk.free();
      await disk.remount("ro");
      await refused(/mounted read-only\nhint: mount it for writing/);
      await disk.remount("rw");
      expect((await place.agents(["plan", "list"])).code).toBe(0);
      await endOwners(place, "SIGTERM");
      // A store that is there is no different.
      disk.fill();
      await refused(/its disk is full\nhint: free some space/);
      disk.free();
      await disk.remount("ro");
      await refused(/mounted read-only\nhint: mount it for writing/);
      await disk.remount("rw");
      expect((await place.agents(["plan", "list"])).code).toBe(0);
    });

    test("that fills while a command of a plan runs costs the plan nothing but time, and the owner no work", {
      timeout: SLOW,
    }, async () => {
      await using place = new Place(IDLE);
      using disk = new SmallDisk(place.dataDir, "16m");
      const slow = `    - write: { path: b.txt, content: b }
    - run: { command: "for i in 1 2 3 4 5 6; do echo line $i; sleep 0.5; done; echo done > d.txt" }
    - write: { path: c.txt, content: c }
`;
      const id = await usedPlan(place, join(place.dir, "project"), slow);
      const { pid } = place.discovery();
      const following = place.start(process.execPath, [AGENTS, "plan", "execute", id]);
      let said = "";
      following.stderr?.on("data", (bytes: Buffer) => {
        said += bytes.toString();
      });
      await until(() => said.includes("▸ 2"));
      disk.fill();
      // Longer than the command takes: it ends, and nothing of it can be written down.
      await new Promise((resolve) => setTimeout(resolve, 6000));
      const before = cpuTicks(pid);
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expect(isAlive(pid)).toBe(true);
      // A hundred ticks are a second.
      expect(cpuTicks(pid) - before).toBeLessThan(150);
      expect(await statusOf(place, id)).toContain('"plan_id"');
      disk.free();
      await waitsForApply(place, id);
      const diff = await place.agents(["plan", "diff", id, "--name-only"]);
      expect(diff.stdout.trim().split("\n").sort()).toEqual(["b.txt", "c.txt", "d.txt"]);
      expect(place.discovery().pid).toBe(pid);
    });

    test("that has no room for a sandbox asks whether to try again, and does when there is", {
      timeout: SLOW,
    }, async () => {
      await using place = new Place(IDLE);
      using disk = new SmallDisk(place.dataDir, "24m");
      const project = join(place.dir, "project");
      const id = await usedPlan(place, project, "    - write: { path: b.txt, content: b }\n");
      writeFileSync(join(project, "large.bin"), Buffer.alloc(8 * 1024 * 1024, "random enough "));
      disk.fill(3 * 1024 * 1024);
      const ran = await place.agents(["plan", "execute", id]);
      expect(ran.code).toBe(11);
      expect(ran.stdout + ran.stderr).toMatch(/3 MB are free where the data directory is/);
      expect(await statusOf(place, id)).toContain('"NO_SPACE"');
      disk.free();
      expect((await place.agents(["plan", "approve", id])).code).toBe(0);
      await waitsForApply(place, id);
    });

    test("of the project leaves it as it was when a changeset is applied, and takes it when there is space", {
      timeout: SLOW,
    }, async () => {
      await using place = new Place(IDLE);
      mkdirSync(place.dataDir);
      const project = join(place.dir, "project");
      using disk = new SmallDisk(project, "2m");
      const steps = `    - write: { path: a.txt, content: changed }
    - run: { command: "head -c 600000 /dev/zero > large.bin" }
`;
      const id = await usedPlan(place, project, steps);
      expect((await place.agents(["plan", "execute", id])).code).toBe(0);
      await waitsForApply(place, id);
      disk.fill(200_000);
      const names = readdirSync(project);
      const ran = await place.agents(["plan", "apply", id, "--yes"]);
      expect(ran.code, ran.stdout + ran.stderr).not.toBe(0);
      expect(ran.stdout + ran.stderr).toContain("the disk is full");
      expect(readdirSync(project)).toEqual(names);
      expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("a\n");
      disk.free();
      expect((await place.agents(["plan", "apply", id, "--yes"])).code).toBe(0);
      await until(() => existsSync(join(project, "large.bin")), 60_000);
      await until(async () => (await statusOf(place, id)).includes("TASK_STATE_COMPLETED"), 60_000);
      expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("changed");
    });

    test("a project that is mounted read-only can be planned on; applying is refused, and works when it can be written", {
      timeout: SLOW,
    }, async () => {
      await using place = new Place(IDLE);
      mkdirSync(place.dataDir);
      const project = join(place.dir, "project");
      using disk = new SmallDisk(project, "2m");
      const id = await usedPlan(place, project, "    - write: { path: b.txt, content: b }\n");
      await disk.remount("ro");
      expect((await place.agents(["plan", "execute", id])).code).toBe(0);
      await waitsForApply(place, id);
      const ran = await place.agents(["plan", "apply", id, "--yes"]);
      expect(ran.code, ran.stdout + ran.stderr).not.toBe(0);
      expect(ran.stdout + ran.stderr).toMatch(/read-only/i);
      await disk.remount("rw");
      expect((await place.agents(["plan", "approve", id])).code).toBe(0);
      await until(async () => (await statusOf(place, id)).includes("TASK_STATE_COMPLETED"), 60_000);
      expect(readFileSync(join(project, "b.txt"), "utf8")).toBe("b");
      const second = await newPlan(place);
      expect(second).not.toBe(id);
    });
  },
);

function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return Number(fields[11]) + Number(fields[12]);
}
