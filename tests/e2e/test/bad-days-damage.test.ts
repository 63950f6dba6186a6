import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { left, overwrite } from "./bad-days-support.ts";
import { Place } from "./support.ts";

const SLOW = 180_000;

test.each([
  ["its beginning is overwritten", (file: string) => overwrite(file, 0, 8192)],
  ["it is overwritten inside", (file: string) => overwrite(file, 4096 * 6, 4096)],
])(
  "a store is repaired at the next command when %s: the plan is there, the file is kept, health says so",
  {
    timeout: SLOW,
  },
  async (_, damage) => {
    await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
    const id = await left(place, "SIGTERM");
    const file = join(place.dataDir, "store.db");
    damage(file);
    const bad = readFileSync(file);
    const listed = await place.agents(["plan", "list", "-o", "json"]);
    expect(listed.stdout).toContain(id);
    expect(readFileSync(join(place.dataDir, "owner.log"), "utf8")).toContain(
      "the database was damaged and has been repaired",
    );
    const health = await place.agents(["health", "check"]);
    expect(health.stdout).toMatch(/damage +warn +the database was damaged and repaired at \S+: noth/);
    expect(health.stdout).not.toContain(place.dataDir);
    const kept = readdirSync(place.dataDir).filter((name) => name.startsWith("store.db.damaged-"));
    expect(kept.some((name) => readFileSync(join(place.dataDir, name)).equals(bad))).toBe(true);
    expect((await place.agents(["plan", "apply", id, "--yes"])).code).toBe(0);
    expect(readFileSync(join(place.dir, "project", "c.txt"), "utf8")).toBe("c");
  },
);

test("a lock file that is overwritten is a lock all the same", { timeout: SLOW }, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
  mkdirSync(place.dataDir);
  writeFileSync(
    join(place.dataDir, "owner.lock"),
    "this is no database, and long enough to be taken for one".repeat(100),
  );
  expect((await place.agents(["plan", "list"])).code).toBe(0);
  copyFileSync(join(place.dataDir, "owner.json"), join(place.dir, "owner.json"));
  expect((await place.agents(["plan", "list"])).code).toBe(0);
  expect(JSON.parse(readFileSync(join(place.dir, "owner.json"), "utf8"))).toMatchObject({
    pid: place.discovery().pid,
  });
});
