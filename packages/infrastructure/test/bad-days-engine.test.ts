import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Logger, PlanRun } from "@cleveragents/application";
import { expect, it } from "vitest";
import { createSqlitePlanEngine } from "../src/openworkflow/index.ts";
import { overwrite } from "./bad-days-fixtures.ts";
import { logger as silent, temporaryDirectory } from "./sqlite-fixtures.ts";

async function engineAt(path: string, logger: Logger = silent, onDamaged?: () => void) {
  const engine = createSqlitePlanEngine({ path, logger, exclusive: true, onDamaged });
  const ran: PlanRun["input"][] = [];
  await engine.open(async (run) => {
    ran.push(run.input);
  });
  return { engine, ran };
}

/** A file in which a run has ended. */
async function used(path: string): Promise<string> {
  const { engine } = await engineAt(path);
  const runId = await engine.start({ taskId: "t", epoch: 1, part: 0 });
  await expect.poll(() => engine.status(runId)).toBe("completed");
  await engine.close();
  return runId;
}

it.each([
  ["has lost its beginning", (path: string) => overwrite(path, 0, 100)],
  ["is damaged inside", (path: string) => overwrite(path, 4096, 10 * 4096)],
  ["was cut short", (path: string) => truncateSync(path, 5000)],
  ["is text", (path: string) => writeFileSync(path, "a shopping list\n")],
])(
  "an engine whose file %s begins anew, keeps the file, and knows the old runs no more",
  async (_, damage) => {
    using t = temporaryDirectory();
    const path = join(t.directory, "engine.db");
    const old = await used(path);
    damage(path);
    const bytes = readFileSync(path);
    const told: string[] = [];
    const { engine, ran } = await engineAt(path, {
      ...silent,
      error: (_fields, message) => void told.push(message),
    });
    try {
      expect(told).toEqual([expect.stringContaining("begun anew")]);
      const kept = readdirSync(t.directory).find(
        (name) => name.startsWith("engine.db.damaged-") && !/-(wal|shm)$/.test(name),
      );
      expect(readFileSync(join(t.directory, kept ?? "")).equals(bytes)).toBe(true);
      // The supervisor gives a plan whose run nobody knows a new epoch, and so a new run.
      expect(await engine.status(old)).toBeUndefined();
      const runId = await engine.start({ taskId: "t", epoch: 2, part: 0 });
      await expect.poll(() => engine.status(runId)).toBe("completed");
      expect(ran).toEqual([{ taskId: "t", epoch: 2, part: 0 }]);
    } finally {
      await engine.close();
    }
  },
);

it("an engine whose file is damaged while it runs says so once, still closes, and the next one begins anew", async () => {
  using t = temporaryDirectory();
  const path = join(t.directory, "engine.db");
  const damages: number[] = [];
  const told: string[] = [];
  const logger = { ...silent, error: (_fields: object, message: string) => void told.push(message) };
  const { engine } = await engineAt(path, logger, () => void damages.push(damages.length));
  const start = (taskId: string) => engine.start({ taskId, epoch: 1, part: 0 });
  try {
    const runId = await start("t");
    await expect.poll(() => engine.status(runId)).toBe("completed");
    overwrite(path, 0, 40 * 4096);
    overwrite(`${path}-wal`, 0, 400 * 4096);
    await expect
      .poll(async () => {
        await start(crypto.randomUUID()).catch(() => undefined);
        return damages;
      })
      .toEqual([0]);
    await start("again").catch(() => undefined);
    expect(damages).toEqual([0]);
    expect(told).toContainEqual(expect.stringContaining("the engine's database is damaged"));
    expect(existsSync(`${path}.check`)).toBe(true);
  } finally {
    await engine.close();
  }
  const { engine: next } = await engineAt(path);
  const runId = await next.start({ taskId: "t", epoch: 2, part: 0 });
  await expect.poll(() => next.status(runId)).toBe("completed");
  await next.close();
  expect(existsSync(`${path}.check`)).toBe(false);
});

it("an engine whose file is empty is a new one", async () => {
  using t = temporaryDirectory();
  const path = join(t.directory, "engine.db");
  closeSync(openSync(path, "a"));
  await used(path);
  expect(readdirSync(t.directory).filter((name) => name.includes("damaged"))).toEqual([]);
  expect(existsSync(path)).toBe(true);
});
