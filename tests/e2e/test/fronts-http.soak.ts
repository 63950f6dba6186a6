import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive, Place, type RunningServer, until } from "./support.ts";

const SLOW = 180_000;

function post(server: RunningServer, token: string, method: string, params: object = {}): Promise<Response> {
  return fetch(`${server.url}/a2a`, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0", authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

test("a server becomes the owner when the one in the background leaves, and its callers keep their credential", {
  timeout: SLOW,
}, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "8" });
  mkdirSync(place.dataDir);
  expect((await place.agents(["plan", "list"])).code).toBe(0);
  const server = await place.server();
  const { pid, token } = place.discovery();
  expect(pid).not.toBe(server.child.pid);
  await until(() => !isAlive(pid));
  await until(() => existsSync(join(place.dataDir, "owner.json")));
  await until(() => "http" in place.discovery());
  expect(place.discovery()).toMatchObject({ pid: server.child.pid, token, http: { url: server.url } });
  expect((await post(server, token, "ListTasks")).status).toBe(200);
  expect((await post(server, "wrong", "ListTasks")).status).toBe(401);
  expect((await place.agents(["plan", "list"])).code).toBe(0);
  expect(place.discovery().pid).toBe(server.child.pid);
});
