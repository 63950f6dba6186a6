import { existsSync, mkdirSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { withPlan } from "./local-mode-support.ts";
import { AGENTS, finished, isAlive, Place, until } from "./support.ts";

const SLOW = 120_000;

test("an owner leaves when its directory vanishes", { timeout: SLOW }, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
  mkdirSync(place.dataDir);
  expect((await place.agents(["plan", "list"])).code).toBe(0);
  const { pid } = place.discovery();
  rmSync(place.dataDir, { recursive: true, force: true });
  await until(() => !isAlive(pid));
});

test("Ctrl-C during plan execute detaches: the plan goes on, and the command to return is printed", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  mkdirSync(place.dataDir);
  const id = await withPlan(place, "    - wait: { seconds: 5 }\n    - write: { path: b.txt, content: b }\n");
  const child = place.start(process.execPath, [AGENTS, "plan", "execute", id]);
  let progress = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    progress += text;
  });
  await until(() => progress.includes("wait 5 s"));
  child.kill("SIGINT");
  const ran = await finished(child);
  expect(ran.code).toBe(130);
  expect(progress).toContain(`agents plan watch ${id}`);
  await until(async () =>
    (await place.agents(["plan", "status", id, "-o", "json"])).stdout.includes("TASK_STATE_INPUT_REQUIRED"),
  );
  const diff = await place.agents(["plan", "diff", id, "--name-only"]);
  expect(diff.stdout).toBe("b.txt\n");
});

test("output into a pipe that closes early ends quietly", { timeout: SLOW }, async () => {
  await using place = new Place();
  mkdirSync(place.dataDir);
  const ran = await place.run("sh", ["-c", `"${process.execPath}" "${AGENTS}" tool list | head -1`]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
});

test.skipIf(!existsSync("/dev/full"))(
  "output that cannot be written is an error and not a success",
  { timeout: SLOW },
  async () => {
    await using place = new Place();
    for (const words of ["help", "version"]) {
      const ran = await place.run("sh", ["-c", `"${process.execPath}" "${AGENTS}" ${words} > /dev/full`]);
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("could not be written: ENOSPC") });
    }
  },
);
