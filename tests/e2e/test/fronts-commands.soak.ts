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

test(
  "plan watch over socket tells every step once and the plan's real result though its owner is killed",
  {
    timeout: SLOW,
  },
  () => watchedThroughDeath("socket"),
);

test("two terminals, ten commands at once, a server and local mode share one data directory", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  const plan = await startPlan(place, ["sleep 3"]);
  const server = await place.server();
  const watching = place.agents(["plan", "watch", plan, "--until-done"]);
  const { token } = place.discovery();
  const commands = Array.from({ length: 10 }, (_, n) =>
    place.agents(
      [
        "plan",
        "status",
        plan,
        "-o",
        "json",
        ...(n % 3 === 0 ? ["--server", server.url] : []),
        ...(n % 3 === 1 ? ["--transport", "stdio"] : []),
      ],
      { env: n % 3 === 0 ? { CLEVERAGENTS_SERVER_TOKEN: token } : {} },
    ),
  );
  for (const ran of await Promise.all(commands)) {
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ plan_id: plan });
  }
  expect(await watching).toMatchObject({ code: 0 });
});

test("output into a pipe ends with the command, though an owner was started behind it", {
  timeout: SLOW,
}, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "60" });
  const pipe = (filter: string) =>
    place.run("sh", ["-c", `"${process.execPath}" "${AGENTS}" tool list | ${filter}`]);
  expect(await pipe("cat")).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("\n") });
  expect(isAlive(place.discovery(`${place.dir}/home/.cleveragents`).pid)).toBe(true);
  expect(await pipe("head -1")).toMatchObject({ code: 0, stderr: "" });
});
