import { expect, test } from "vitest";
import { killOwner, startPlan } from "./fronts-support.ts";
import { isAlive, Place, type RunningServer, until } from "./support.ts";

const SLOW = 180_000;

function post(server: RunningServer, token: string, method: string, params: object = {}): Promise<Response> {
  return fetch(`${server.url}/a2a`, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0", authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

test("a server in front of an owner that is killed refuses what was in flight, and serves on as the owner", {
  timeout: SLOW,
}, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
  const plan = await startPlan(place, ["sleep 1", "sleep 1.1", "sleep 1.2"]);
  const server = await place.server();
  const { pid, token } = place.discovery();
  const stream = await post(server, token, "SubscribeToTask", { id: plan });
  const following = stream.text();
  following.catch(() => {}); // when something else fails first
  killOwner(place, "SIGSTOP");
  const inFlight = post(server, token, "ListTasks");
  await new Promise((resolve) => setTimeout(resolve, 300));
  killOwner(place);
  expect(await (await inFlight).json()).toMatchObject({
    error: { code: -32000, data: [{ reason: "SHUTTING_DOWN" }] },
  });
  expect(await (await post(server, token, "ListTasks")).json()).toMatchObject({ result: { totalSize: 1 } });
  await until(() => place.discovery().pid === server.child.pid);
  await until(() => !isAlive(pid));

  const events = (await following).split("\n\n").filter((event) => event.startsWith("id: "));
  const numbers = events.map((event) => Number(/^id: \w+:(\d+)$/m.exec(event)?.[1]));
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  expect(events.filter((event) => event.includes('"task":'))).toHaveLength(1);
  expect(events.at(-1)).toContain("TASK_STATE_COMPLETED");
  expect(await following).not.toContain("urn:cleveragents:extensions:resume");

  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
  expect((await place.agents(["plan", "status", plan])).stdout).toContain("applied");
});
