import { mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { statusOf, usedPlan } from "./bad-days-support.ts";
import { freePort, Place, SERVER, until } from "./support.ts";

const SLOW = 180_000;

function opened(target: { readonly path: string } | { readonly port: number }): Promise<Socket> {
  const socket = "path" in target ? connect(target.path) : connect(target.port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.on("error", () => resolve(socket)).once("connect", () => resolve(socket));
    setTimeout(() => resolve(socket), 500).unref();
  });
}

test("a server without file handles takes no more connections, does not end, and serves when they are let go", {
  timeout: SLOW,
}, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
  mkdirSync(place.dataDir);
  const port = await freePort();
  const child = place.start("/bin/sh", [
    "-c",
    'ulimit -n 80 && exec "$@"',
    "sh",
    process.execPath,
    SERVER,
    "start",
    "--port",
    String(port),
    "--data-dir",
    place.dataDir,
  ]);
  let said = "";
  child.stdout?.on("data", (bytes: Buffer) => {
    said += bytes.toString();
  });
  await until(() => said.includes("is ready at"), 60_000);
  const id = await usedPlan(place, join(place.dir, "project"), "    - write: { path: b.txt, content: b }\n");
  const { socket: path, pid } = place.discovery();
  const held: Socket[] = [];
  for (let n = 0; n < 60; n += 1) held.push(await opened({ port }), await opened({ path }));
  expect(child.exitCode).toBeNull();
  for (const socket of held) socket.destroy();
  await until(
    async () => (await fetch(`http://127.0.0.1:${port}/live`).catch(() => undefined))?.status === 200,
  );
  await until(async () => (await place.agents(["health", "check"])).code === 0);
  expect(place.discovery().pid).toBe(pid);
  expect((await place.agents(["plan", "execute", id])).code).toBe(0);
  await until(async () => (await statusOf(place, id)).includes("TASK_STATE_INPUT_REQUIRED"));
});
