import { mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createClient, followTask } from "@cleveragents/protocol";
import { createHttpTransport } from "@cleveragents/transport-http/client";
import { expect, test } from "vitest";
import { Place } from "./support.ts";

const SLOW = 120_000;

test("a stream over HTTP through 20 cut connections: every event once, in order", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  const server = await place.server();
  const project = join(place.dir, "p");
  mkdirSync(project);
  const command = "for n in $(seq 1 60); do echo line $n; sleep 0.08; done";
  writeFileSync(
    join(place.dir, "a.yaml"),
    `name: long\ndescription: d\ndefinition_of_done: d\nscript:\n  steps:\n    - run: { command: "${command}" }\n`,
  );
  await place.agents(["project", "create", "p", "--path", project]);
  await place.agents(["action", "add", "a.yaml"]);

  // A wire that is cut every so often, in the middle of whatever it carries.
  const upstream = new URL(server.url);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const agent = connect(Number(upstream.port), upstream.hostname);
    for (const socket of [client, agent]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    client.pipe(agent).pipe(client);
    client.on("close", () => agent.destroy());
    agent.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as { port: number };
  const { token } = place.discovery();
  const direct = createClient(createHttpTransport({ url: `${server.url}/a2a`, token }));
  const cut = createClient(createHttpTransport({ url: `http://127.0.0.1:${port}/a2a`, token }));

  const { plan_id: id } = await direct.call("_cleveragents/plan/use", {
    action_name: "long",
    automation_profile: "ci",
  });
  let cuts = 0;
  let seenSinceCut = 0;
  const cursors: string[] = [];
  let states: string[] = [];
  for await (const item of followTask(cut, id, { retryMs: 1, maxAttempts: 200, after: `${id}:0` })) {
    if ("task" in item.result) continue;
    cursors.push(item.cursor ?? "");
    if ("statusUpdate" in item.result) states = [...states, item.result.statusUpdate.status.state];
    if (++seenSinceCut >= 2 && cuts < 20) {
      cuts++;
      seenSinceCut = 0;
      for (const socket of sockets) socket.destroy();
    }
  }
  proxy.close();
  expect(cuts).toBe(20);
  expect(cursors).toEqual(cursors.map((_, i) => `${id}:${i + 1}`));
  expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
  const whole: string[] = [];
  for await (const item of followTask(direct, id, { after: `${id}:0` }))
    if (!("task" in item.result)) whole.push(item.cursor ?? "");
  expect(cursors).toEqual(whole);
});
