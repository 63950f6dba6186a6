import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LOCAL_PRINCIPAL } from "@cleveragents/protocol";
import { writeDiscovery } from "@cleveragents/transport-stdio/client";
import { serveSocket } from "@cleveragents/transport-stdio/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { start } from "../src/commands/start.ts";
import { readConfig } from "../src/config.ts";
import { lockDataDir } from "../src/owner/data-dir-lock.ts";
import { untilIdle, untilVanished } from "../src/owner/idle-exit.ts";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const silent = () => undefined;
const logger = { debug: silent, info: silent, warn: silent, error: silent };

let dataDir: string;
let heard: ReadonlyMap<string, readonly unknown[]>;
beforeEach(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), "cleveragents-start-")));
  heard = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
});
afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  // The server listens to signals for the rest of its process, which here is the test's.
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal))
      if (heard.get(signal)?.includes(listener) !== true) process.off(signal, listener);
});

describe("a server whose data directory belongs to another process", () => {
  function startHere(): { readonly said: string[]; readonly over: Promise<unknown> } {
    const said: string[] = [];
    const config = readConfig(["start", "--data-dir", dataDir, "--port", "0"], {}, dataDir, dataDir);
    const over = start({
      config,
      env: { PATH: process.env["PATH"], HOME: dataDir },
      cwd: dataDir,
      logger,
      pid: process.pid,
      uid: process.getuid?.() ?? 0,
      say: (line) => void said.push(line),
    }).catch((error: unknown) => said.push(String(error)));
    return { said, over };
  }

  test("that is just leaving takes its place", async () => {
    const lock = await lockDataDir(dataDir);
    const { said, over } = startHere();
    await sleep(300);
    lock[Symbol.dispose]();
    await expect
      .poll(() => said, { timeout: 15_000 })
      .toEqual([expect.stringMatching(/^CleverAgents is ready at [^,]*$/)]);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    await over;
  });

  test("that is just beginning serves in front of it", async () => {
    using _lock = await lockDataDir(dataDir);
    const path = join(dataDir, "s", "owner.sock");
    const discovery = {
      version: 1,
      pid: 1,
      started_at: new Date().toISOString(),
      product_version: "0",
      socket: path,
      token: "t",
    } as const;
    // Its predecessor was killed, so that its addresses are there before anybody answers.
    await writeDiscovery(dataDir, discovery);
    const { said, over } = startHere();
    await sleep(300);
    const socket = await serveSocket({
      path,
      dispatcher: { dispatch: async () => ({ kind: "none" }) },
      principal: LOCAL_PRINCIPAL,
      onError: silent,
    });
    await expect
      .poll(() => said, { timeout: 15_000 })
      .toEqual([expect.stringContaining("owned by process 1")]);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    await over;
    await socket.close();
  });
});

test.each<[string, (directory: string) => Promise<string>]>([
  ["that serves HTTP", (directory) => untilVanished(directory, 20)],
  [
    "in the background",
    (dataDir) =>
      untilIdle({
        dataDir,
        idleMs: 60_000,
        calls: () => ({ open: 1, begun: 1 }),
        busy: async () => true,
        everyMs: 20,
      }),
  ],
])("a process %s leaves when another directory has been put in the place of its own", async (_, until) => {
  const own = join(dataDir, "own");
  await mkdir(own);
  const left = until(own);
  await sleep(100);
  await rm(own, { recursive: true });
  await mkdir(own);
  expect(await Promise.race([left, sleep(5000)])).toBe("vanished");
});
