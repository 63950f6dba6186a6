import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killOwner, StdioFront } from "./fronts-support.ts";
import { isAlive, Place, SERVER, until } from "./support.ts";

const SLOW = 180_000;
const list = (place: Place, ...more: string[]) => place.agents(["plan", "list", "-o", "json", ...more]);
const discoveryFile = (place: Place) => join(place.dataDir, "owner.json");

/** A data directory whose owner was killed, with all that it left. */
async function abandoned(): Promise<Place> {
  const place = new Place();
  mkdirSync(place.dataDir);
  expect(await list(place)).toMatchObject({ code: 0 });
  const pid = killOwner(place) ?? 0;
  await until(() => !isAlive(pid));
  return place;
}

test("addresses that name a process which is no owner, or a socket that is none, lead to a new owner", {
  timeout: SLOW,
}, async () => {
  await using place = await abandoned();
  const left = JSON.parse(readFileSync(discoveryFile(place), "utf8"));
  // The number of the dead process has been given to another one, this one.
  for (const wrong of [
    { pid: process.pid },
    { socket: join(place.dir, "nowhere.sock") },
    { socket: place.dir },
  ]) {
    writeFileSync(discoveryFile(place), JSON.stringify({ ...left, ...wrong }));
    expect(await list(place)).toMatchObject({ code: 0 });
    const { pid } = place.discovery();
    expect(pid).not.toBe(process.pid);
    killOwner(place);
    await until(() => !isAlive(pid));
  }
});

test("addresses that were half written lead to a new owner, which writes them whole", {
  timeout: SLOW,
}, async () => {
  await using place = await abandoned();
  const whole = readFileSync(discoveryFile(place), "utf8");
  writeFileSync(discoveryFile(place), whole.slice(0, whole.length / 2));
  expect(await list(place)).toMatchObject({ code: 0 });
  expect(place.discovery().pid).toBeGreaterThan(0);
});

test("an owner that is stopped is an error that says which process to end, in bounded time, to each front", {
  timeout: SLOW,
}, async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "600" });
  mkdirSync(place.dataDir);
  expect((await list(place)).code).toBe(0);
  const { pid } = place.discovery();
  process.kill(pid, "SIGSTOP");
  try {
    const front = new StdioFront(place);
    front.send(1, "ListTasks");
    const [socket, server, stdio] = await Promise.all([
      list(place),
      place.run(process.execPath, [SERVER, "start", "--port", "0"]),
      front.close(),
    ]);
    expect(socket).toMatchObject({ code: 5, stderr: expect.stringContaining(`kill -KILL ${pid}`) });
    expect(server).toMatchObject({ code: 1, stderr: expect.stringContaining(`kill -KILL ${pid}`) });
    expect(stdio).toMatchObject({ code: 1, stderr: expect.stringContaining(`kill -KILL ${pid}`) });
  } finally {
    process.kill(pid, "SIGKILL");
  }
  expect((await list(place)).code).toBe(0);
});

test("a socket on which somebody else answers is not taken for an owner's", { timeout: SLOW }, async () => {
  await using place = await abandoned();
  const path = join(place.dir, "tmp", "other.sock");
  const other = createServer((socket) => void socket.on("error", () => {}).end("220 hello\r\n"));
  await new Promise<void>((resolve) => other.listen(path, resolve));
  const left = JSON.parse(readFileSync(discoveryFile(place), "utf8"));
  writeFileSync(discoveryFile(place), JSON.stringify({ ...left, socket: path }));
  const ran = await list(place);
  other.close();
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(place.discovery().socket).toBe(left.socket);
});
