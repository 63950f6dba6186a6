import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newPlan, statusOf, usedPlan } from "./bad-days-support.ts";
import { isAlive, Place, until } from "./support.ts";

const SLOW = 180_000;

/** An owner that is gone, and a plan that waits for its apply. */
async function left(place: Place, signal: NodeJS.Signals): Promise<string> {
  mkdirSync(place.dataDir);
  const steps =
    "    - write: { path: b.txt, content: b }\n    - wait: { seconds: 1 }\n    - write: { path: c.txt, content: c }\n";
  const id = await usedPlan(place, join(place.dir, "project"), steps);
  expect((await place.agents(["plan", "execute", id])).code).toBe(0);
  const { pid } = place.discovery();
  process.kill(pid, signal);
  await until(() => !isAlive(pid));
  return id;
}

function overwrite(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0x5a, from, Math.min(bytes.length, from + length));
  writeFileSync(file, bytes);
}

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

test("a killed owner's store that is damaged loses nothing that is in its log", {
  timeout: SLOW,
}, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
  const id = await left(place, "SIGKILL");
  overwrite(join(place.dataDir, "store.db"), 0, 100_000_000);
  expect((await place.agents(["plan", "apply", id, "--yes"])).code).toBe(0);
  expect(readFileSync(join(place.dir, "project", "b.txt"), "utf8")).toBe("b");
});

test("an empty store is not silently a new one where there has been one", { timeout: SLOW }, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
  await left(place, "SIGTERM");
  truncateSync(join(place.dataDir, "store.db"), 0);
  expect((await place.agents(["plan", "list"])).code).toBe(0);
  expect((await place.agents(["health", "check"])).stdout).toMatch(/damage +warn/);
});

test("a damaged engine is begun anew: a plan that was at work goes on from its last finished step", {
  timeout: SLOW,
}, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
  mkdirSync(place.dataDir);
  const steps =
    "    - write: { path: b.txt, content: b }\n    - wait: { seconds: 5 }\n    - write: { path: c.txt, content: c }\n";
  const id = await usedPlan(place, join(place.dir, "project"), steps);
  const started = place.agents(["plan", "execute", id]);
  await until(async () => (await statusOf(place, id)).includes('"completed_steps": 1'));
  const { pid } = place.discovery();
  process.kill(pid, "SIGKILL");
  await until(() => !isAlive(pid));
  for (const suffix of ["", "-wal"]) overwrite(join(place.dataDir, `engine.db${suffix}`), 0, 100_000_000);
  await until(async () => (await statusOf(place, id)).includes("TASK_STATE_INPUT_REQUIRED"), 90_000);
  await started;
  const diff = await place.agents(["plan", "diff", id, "--name-only"]);
  expect(diff.stdout.trim().split("\n")).toEqual(["b.txt", "c.txt"]);
  expect(readdirSync(place.dataDir).some((name) => name.startsWith("engine.db.damaged-"))).toBe(true);
});

test("a plan whose own data is lost has ended, can be looked at, and others go on", {
  timeout: SLOW,
}, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
  const id = await left(place, "SIGTERM");
  const file = join(place.dataDir, "store.db");
  const bytes = readFileSync(file);
  // The document, wherever a copy of it lies; the log has none.
  for (let at = bytes.indexOf('"guidance":'); at >= 0; at = bytes.indexOf('"guidance":', at + 1))
    bytes.fill(0xff, at, at + 11);
  bytes.fill(0x5a, 0, 100);
  writeFileSync(file, bytes);
  const status = await place.agents(["plan", "status", id]);
  expect(status, status.stderr).toMatchObject({ code: 0 });
  expect(status.stdout).toMatch(/cannot go on/);
  expect(await statusOf(place, id)).toContain("TASK_STATE_FAILED");
  expect((await place.agents(["plan", "list"])).stdout).toContain("local/it");
  expect((await place.agents(["plan", "tree", id])).code).toBe(0);
  expect((await place.agents(["plan", "apply", id, "--yes"])).code).not.toBe(0);
  const next = await newPlan(place);
  expect((await place.agents(["plan", "execute", next])).code).toBe(0);
});

test("something else in the store's place is refused and left alone", { timeout: SLOW }, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "1" });
  await left(place, "SIGTERM");
  const file = join(place.dataDir, "store.db");
  renameSync(file, join(place.dir, "aside.db"));
  mkdirSync(file);
  const ran = await place.agents(["plan", "list"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(/not a file\nhint: .*Move .*away/);
  expect(readdirSync(file)).toEqual([]);
});

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
