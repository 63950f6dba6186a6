import { mkdirSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { left, newPlan, overwrite, statusOf, usedPlan } from "./bad-days-support.ts";
import { repaired } from "./repairing.ts";
import { isAlive, Place, until } from "./support.ts";

const SLOW = 180_000;

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
  // A command that waits would start another owner before the file is overwritten.
  await place.agents(["plan", "execute", id, "--no-wait"]);
  await until(async () => (await statusOf(place, id)).includes('"completed_steps": 1'));
  const { pid } = place.discovery();
  process.kill(pid, "SIGKILL");
  await until(() => !isAlive(pid));
  for (const suffix of ["", "-wal"]) overwrite(join(place.dataDir, `engine.db${suffix}`), 0, 100_000_000);
  await until(async () => (await statusOf(place, id)).includes("TASK_STATE_INPUT_REQUIRED"), 90_000);
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
  expect((await place.agents(["plan", "list"])).stdout).toMatch(/\bit +p\b/);
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

test(
  "a store is repaired at the next command when it is overwritten inside: the plan is there, the file is kept, health says so",
  {
    timeout: SLOW,
  },
  () => repaired((file) => overwrite(file, 4096 * 6, 4096)),
);
