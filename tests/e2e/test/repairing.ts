import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { left } from "./bad-days-support.ts";
import { Place } from "./support.ts";

/** A store that something does `damage` to is repaired at the next command: the plan is there, the file is kept, health says so. */
export async function repaired(damage: (file: string) => void): Promise<void> {
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
}
