import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { writeDiscovery } from "@cleveragents/transport-stdio/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DataDirTakenError, lockDataDir } from "../owner/data-dir-lock.ts";
import { hostFileOf, readHostFile, writeHostFile } from "./host-file.ts";
import { refuseShared, shareDataDir } from "./share-data-dir.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "share-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test("those who share a directory agree on the host and the token, and keep an owner out until the last has left", async () => {
  const all = await Promise.all([1, 2, 3].map(() => shareDataDir(dataDir)));
  expect(new Set(all.map(({ host, token }) => `${host} ${token}`)).size).toBe(1);
  for (const shared of all) {
    await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirTakenError);
    shared[Symbol.dispose]();
  }
  (await lockDataDir(dataDir))[Symbol.dispose]();
  expect(statSync(hostFileOf(dataDir)).mode & 0o777).toBe(0o600);
});

test("a directory that has an owner is not shared", { timeout: 30_000 }, async () => {
  using _owner = await lockDataDir(dataDir);
  await expect(shareDataDir(dataDir)).rejects.toThrow(DataDirTakenError);
});

test("the host keeps its name for ever, and its token only from a process that was killed", async () => {
  const first = await shareDataDir(dataDir);
  first[Symbol.dispose]();
  const second = await shareDataDir(dataDir);
  second[Symbol.dispose]();
  expect(second.host).toBe(first.host);
  expect(second.token).not.toBe(first.token);
  const address = {
    version: 1,
    pid: 1,
    started_at: "now",
    product_version: "0",
    socket: "/s",
    token: "t",
  } as const;
  await writeDiscovery(dataDir, address); // which a process that leaves in good order takes along
  using third = await shareDataDir(dataDir);
  expect(third.token).toBe(second.token);
});

test("a process of another machine or container is refused while one of this is there, and welcome afterwards", async () => {
  const here = await shareDataDir(dataDir);
  const { host, token } = here;
  writeHostFile(dataDir, { version: 1, host, token, machine: "another" });
  await expect(shareDataDir(dataDir)).rejects.toThrow("another machine or container");
  here[Symbol.dispose]();
  using there = await shareDataDir(dataDir);
  expect(there.host).toBe(host);
});

test("a directory with tasks of a server without a database is refused, one without tasks is not", async () => {
  const store = new DatabaseSync(join(dataDir, "store.db"));
  (await shareDataDir(dataDir))[Symbol.dispose]();
  store.exec("CREATE TABLE tasks (task_id TEXT)");
  (await shareDataDir(dataDir))[Symbol.dispose]();
  store.exec("INSERT INTO tasks VALUES ('t')");
  store.close();
  await expect(shareDataDir(dataDir)).rejects.toThrow("holds the tasks of a server without a database");
  // Nothing of the refusal is left behind.
  (await lockDataDir(dataDir))[Symbol.dispose]();
});

test("an owner without a database refuses a directory whose plans are in one", async () => {
  expect(() => refuseShared(dataDir)).not.toThrow();
  (await shareDataDir(dataDir))[Symbol.dispose]();
  expect(() => refuseShared(dataDir)).toThrow("DATABASE_URL is not set");
});

test("a host's file that cannot be understood is an error, and stays as it is", async () => {
  writeFileSync(hostFileOf(dataDir), '{"version":2}');
  await expect(shareDataDir(dataDir)).rejects.toThrow("was not written by this version");
  expect(readFileSync(hostFileOf(dataDir), "utf8")).toBe('{"version":2}');
  expect(() => readHostFile(dataDir)).toThrow();
});
