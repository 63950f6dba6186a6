import { expect } from "vitest";
import { killOwner, startPlan } from "./fronts-support.ts";
import { AGENTS, finished, Place, until } from "./support.ts";

export const STEPS = Array.from({ length: 6 }, (_, n) => `sleep 0.5; echo ${n} >> log.txt`);

/** The steps that a command has told as finished, by number. */
export const stepsTold = (progress: string) =>
  [...progress.matchAll(/✓ (\d+) /g)].map(([, number]) => Number(number));

/** `plan watch` while the owner of its plan is killed. */
export async function watchedThroughDeath(transport: string): Promise<void> {
  await using place = new Place();
  const plan = await startPlan(place, STEPS);
  const child = place.start(process.execPath, [
    AGENTS,
    "plan",
    "watch",
    plan,
    "--until-done",
    "--transport",
    transport,
  ]);
  let progress = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    progress += text;
  });
  await until(() => stepsTold(progress).length >= 2);
  killOwner(place);
  const ran = await finished(child);
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("apply / applied") });
  expect(stepsTold(progress)).toEqual([1, 2, 3, 4, 5, 6]);
  const diff = await place.agents(["plan", "diff", plan]);
  expect(diff.stdout.split("\n").filter((line) => /^\+\d/.test(line))).toEqual([
    "+0",
    "+1",
    "+2",
    "+3",
    "+4",
    "+5",
  ]);
}
