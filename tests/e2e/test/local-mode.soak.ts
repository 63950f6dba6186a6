import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { withPlan } from "./local-mode-support.ts";
import { isAlive, Place, until } from "./support.ts";

const SLOW = 120_000;

test("ten commands at once on a fresh directory share one owner, which leaves when nobody needs it", async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "8" });
  mkdirSync(place.dataDir);
  const all = await Promise.all(
    Array.from({ length: 10 }, () => place.agents(["plan", "list", "-o", "json"])),
  );
  for (const ran of all)
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('"plans": []') });
  const { pid } = place.discovery();
  expect((await place.agents(["health", "check"])).code).toBe(0);
  expect(place.discovery().pid).toBe(pid);
  await until(() => !isAlive(pid));
});

test("a killed owner's plan goes on with the next command, from the step that was cut off", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  mkdirSync(place.dataDir);
  const id = await withPlan(
    place,
    `    - run: { command: "echo one >> log.txt" }
    - run: { command: "echo two >> log.txt; sleep 4; echo three >> log.txt" }
    - run: { command: "echo four >> log.txt" }
`,
  );
  await place.agents(["plan", "execute", id, "--no-wait"]);
  await until(async () => {
    const { stdout } = await place.agents(["plan", "status", id, "-o", "json"]);
    return (JSON.parse(stdout) as { steps: { status: string }[] }).steps[1]?.status === "running";
  });
  process.kill(place.discovery().pid, "SIGKILL");
  const ran = await place.agents(["plan", "execute", id, "-o", "json"]);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  const diff = await place.agents(["plan", "diff", id]);
  expect(diff.stdout.split("\n").filter((line) => /^\+[a-z]/.test(line))).toEqual([
    "+one",
    "+two",
    "+three",
    "+four",
  ]);
});
