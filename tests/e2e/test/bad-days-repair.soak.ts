import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { overwrite } from "./bad-days-support.ts";
import { repaired } from "./repairing.ts";
import { Place } from "./support.ts";

const SLOW = 180_000;

test(
  "a store is repaired at the next command when its beginning is overwritten: the plan is there, the file is kept, health says so",
  {
    timeout: SLOW,
  },
  () => repaired((file) => overwrite(file, 0, 8192)),
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
