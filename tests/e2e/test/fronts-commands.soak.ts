import { expect, test } from "vitest";
import { killOwner, startPlan } from "./fronts-support.ts";
import { AGENTS, finished, isAlive, Place, until } from "./support.ts";
import { STEPS, stepsTold, watchedThroughDeath } from "./watching.ts";

const SLOW = 180_000;

test("plan watch over stdio tells every step once and the plan's real result though its owner is killed", () =>
  watchedThroughDeath("stdio"));

test("plan watch over HTTP does not notice that the owner behind the server is killed, and the server takes its place", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  const plan = await startPlan(place, STEPS);
  const server = await place.server();
  const { pid, token } = place.discovery();
  const child = place.start(
    process.execPath,
    [AGENTS, "plan", "watch", plan, "--until-done", "--server", server.url],
    { env: { CLEVERAGENTS_SERVER_TOKEN: token } },
  );
  let progress = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    progress += text;
  });
  await until(() => stepsTold(progress).length >= 2);
  killOwner(place);
  const ran = await finished(child);
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("apply / applied") });
  expect(stepsTold(progress)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(progress).not.toContain("Connection lost");
  await until(() => !isAlive(pid));
  expect(place.discovery()).toMatchObject({ pid: server.child.pid, token, http: { url: server.url } });
  expect(await server.stop()).toBe(0);
});
