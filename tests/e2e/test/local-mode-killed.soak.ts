import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place, until } from "./support.ts";

const SLOW = 120_000;

async function withPlan(place: Place, steps: string): Promise<string> {
  const project = join(place.dir, "project");
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "a\n");
  writeFileSync(
    join(place.dir, "action.yaml"),
    `name: it\ndescription: d\ndefinition_of_done: d\nscript:\n  steps:\n${steps}`,
  );
  for (const args of [
    ["project", "create", "p", "--path", project],
    ["action", "add", "action.yaml"],
  ]) {
    const ran = await place.agents(args);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
  }
  const used = await place.agents(["plan", "use", "it", "-o", "json"]);
  return (JSON.parse(used.stdout) as { plan_id: string }).plan_id;
}

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
