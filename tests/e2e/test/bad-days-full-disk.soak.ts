import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { endOwners, noMount, SmallDisk, usedPlan, waitsForApply } from "./bad-days-support.ts";
import { Place, type Ran, until } from "./support.ts";

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
  },
);
