import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { FileLock } from "./file-lock.ts";

/** A directory whose lock `one` a dead process has left. */
async function abandoned(): Promise<Disposable & { readonly path: string; leave(): void }> {
  const path = mkdtempSync(join(tmpdir(), "file-lock-"));
  const first = await FileLock.acquire(path, "one", 0);
  const [name = ""] = readdirSync(path);
  await first?.[Symbol.asyncDispose]();
  const leave = () =>
    writeFileSync(join(path, name), JSON.stringify({ pid: 1, start: "before", token: "x" }));
  leave();
  return { path, leave, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

test("many who find a dead process's lock hold it one at a time, and none is left", async () => {
  using it = await abandoned();
  for (let round = 0; round < 20; round++) {
    let inside = 0;
    let most = 0;
    const held = Array.from({ length: 8 }, async () => {
      await using lock = await FileLock.acquire(it.path, "one", 60_000);
      expect(lock).not.toBeNull();
      most = Math.max(most, ++inside);
      await delay(round % 3);
      inside--;
    });
    await Promise.all(held);
    expect(most).toBe(1);
    expect(readdirSync(it.path)).toEqual([]);
    it.leave();
  }
}, 60_000);

test("a lock that is held is not given to another, and is when it is let go of", async () => {
  using it = await abandoned();
  const lock = await FileLock.acquire(it.path, "one", 0);
  expect(await FileLock.acquire(it.path, "one", 0)).toBeNull();
  expect(await FileLock.acquire(it.path, "other", 0)).not.toBeNull();
  await lock?.[Symbol.asyncDispose]();
  expect(await FileLock.acquire(it.path, "one", 0)).not.toBeNull();
});

test("what a dead process left while it waited goes at once, and nobody else's does", async () => {
  using it = await abandoned();
  const [lock = ""] = readdirSync(it.path);
  const leave = (token: string, text: string) => writeFileSync(join(it.path, `${lock}.${token}`), text);
  leave("dead", JSON.stringify({ pid: 1, start: "before", token: "dead" }));
  // Of a process that is not there, however new it is.
  leave(`${2 ** 22 + 1}.0a`, "");
  // Its process may be about to write it.
  leave("empty", "");
  leave(`${process.pid}.0b`, "");
  const mine = await FileLock.acquire(it.path, "other", 0);
  const held = readdirSync(it.path).filter((name) => name.endsWith(".lock"));
  await FileLock.removeLeftovers(it.path, Date.now() - 60_000);
  expect(readdirSync(it.path).sort()).toEqual([...held, `${lock}.empty`, `${lock}.${process.pid}.0b`].sort());
  await FileLock.removeLeftovers(it.path, Date.now() + 60_000);
  expect(readdirSync(it.path).sort()).toEqual(held.sort());
  await mine?.[Symbol.asyncDispose]();
});
