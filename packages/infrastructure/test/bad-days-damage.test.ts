import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { migrations as released } from "../src/schema/migrations/index.ts";
import { checkProjections, openSqliteDatabase, type Repair } from "../src/sqlite/index.ts";
import { lived, overwrite, PAGE, pagesWith, roots, whole } from "./bad-days-fixtures.ts";
import { chunk, clock, logger, open, plan, temporaryDirectory } from "./sqlite-fixtures.ts";

const TASKS = 12;
const ids = Array.from({ length: TASKS }, (_, n) => `task-${String(n).padStart(3, "0")}`);

async function contents(path: string) {
  const database = await open(path);
  const all = new Map<string, Awaited<ReturnType<typeof whole>>>();
  for (const taskId of ids) all.set(taskId, await whole(database.tasks, taskId));
  await database.close();
  return all;
}

/** Opens what was damaged, and expects of it what must hold however it was damaged. */
async function repaired(path: string) {
  const damaged = readFileSync(path);
  const told: string[] = [];
  const database = await openSqliteDatabase({
    path,
    clock,
    logger: { ...logger, error: (_, message) => void told.push(message) },
  });
  const [repair] = database.repairs as [Repair];
  expect(told).toEqual([expect.stringContaining("the database was damaged and has been repaired")]);
  expect(database.checkProjections()).toEqual([]);
  for (const taskId of ids) {
    const log = await database.tasks.events(taskId, 0, 1000);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i + 1));
  }
  const kept = readdirSync(dirname(path)).filter((name) => name.includes(".damaged-"));
  expect(kept).toEqual(expect.arrayContaining([repair.file, `${repair.file}.json`]));
  expect(readFileSync(join(dirname(path), repair.file)).equals(damaged)).toBe(true);
  for (const name of kept) expect(statSync(join(dirname(path), name)).mode & 0o077).toBe(0);
  // Work goes on.
  await database.tasks.commit(plan("new", { events: [{ key: "k", event: chunk("after") }] }));
  expect(database.checkProjections()).toEqual([]);
  return { database, repair, told, [Symbol.asyncDispose]: () => database.close() };
}

describe("a damaged database", () => {
  it.each([
    ["beginning", 0, 100],
    ["first two pages", 0, 2 * PAGE],
  ])("whose %s is gone loses nothing", async (_, from, to) => {
    using t = temporaryDirectory();
    await lived(t.path, TASKS);
    const before = await contents(t.path);
    overwrite(t.path, from, to);
    await using r = await repaired(t.path);
    for (const [taskId, there] of before) expect(await whole(r.database.tasks, taskId)).toEqual(there);
    expect(r.repair).toMatchObject({
      tasks: [],
      entries: [],
      plans: [],
      others: [],
      saved: { tasks: TASKS },
    });
    expect(await r.database.registry.list("action")).toHaveLength(1);
    expect(await r.database.sessions.find("s")).toBeDefined();
    expect(await r.database.tasks.taskOfMessage("anna", "m-3")).toBe("task-003");
    expect((await r.database.tasks.list({ principal: "anna", limit: 1 })).total).toBe(TASKS + 1);
  });

  it.each(["task_events", "task_documents"])("loses nothing with the root of %s", async (table) => {
    using t = temporaryDirectory();
    await lived(t.path, TASKS);
    const before = await contents(t.path);
    const root = roots(t.path).get(table) as number;
    overwrite(t.path, (root - 1) * PAGE, root * PAGE);
    await using r = await repaired(t.path);
    for (const [taskId, there] of before) expect(await whole(r.database.tasks, taskId)).toEqual(there);
  });

  it("with index pages that contradict their table, which only a full check finds, is repaired when damage was met", async () => {
    using t = temporaryDirectory();
    await lived(t.path, TASKS);
    const before = await contents(t.path);
    writeFileSync(`${t.path}.check`, "");
    const root = roots(t.path).get("sqlite_autoindex_sessions_1") as number;
    const bytes = readFileSync(t.path);
    const at = bytes.lastIndexOf("s", root * PAGE - 1);
    bytes[at] = "q".charCodeAt(0);
    writeFileSync(t.path, bytes);
    await using r = await repaired(t.path);
    for (const [taskId, there] of before) expect(await whole(r.database.tasks, taskId)).toEqual(there);
    expect(await r.database.sessions.find("s")).toBeDefined();
    expect(existsSync(`${t.path}.check`)).toBe(false);
  });

  it("with a lost page of logs has entries that say so in their place, and names the tasks", async () => {
    using t = temporaryDirectory();
    await lived(t.path, TASKS);
    const before = await contents(t.path);
    const [page = 0] = pagesWith(t.path, "task-005 12 ");
    overwrite(t.path, (page - 1) * PAGE, page * PAGE);
    await using r = await repaired(t.path);
    const lost = new Map(r.repair.entries.map(({ taskId, lost: n }) => [taskId, n]));
    expect(lost.get("task-005")).toBeGreaterThan(0);
    expect(r.told[0]).toContain(`${lost.get("task-005")} of task-005`);
    for (const [taskId, there] of before) {
      const log = await r.database.tasks.events(taskId, 0, 1000);
      expect(log).toHaveLength(there.log.length);
      const replaced = log.filter(({ key }) => key.startsWith("lost:"));
      expect(replaced).toHaveLength(lost.get(taskId) ?? 0);
      for (const entry of log) if (!replaced.includes(entry)) expect(entry).toEqual(there.log[entry.seq - 1]);
      expect(await r.database.tasks.load(taskId)).toMatchObject({ state: there.snapshot?.row.state });
    }
  });

  it("that has lost the rows of its tasks still knows whose they are", async () => {
    using t = temporaryDirectory();
    await lived(t.path, TASKS);
    const before = await contents(t.path);
    for (const page of new Set(ids.flatMap((id) => tasksPages(t.path, id))))
      overwrite(t.path, (page - 1) * PAGE, page * PAGE);
    await using r = await repaired(t.path);
    for (const [taskId, { snapshot, log }] of before) {
      const now = await whole(r.database.tasks, taskId);
      expect(now.log).toEqual(log);
      expect(now.snapshot?.artifacts).toEqual(snapshot?.artifacts);
      const { contextId, principal, kind, state, statusMessage, lastSeq } = snapshot?.row ?? {};
      expect(now.snapshot?.row).toMatchObject({ contextId, principal, kind, state, statusMessage, lastSeq });
      // Nobody who worked on it before may write to it.
      expect(now.snapshot?.row.epoch).toBeGreaterThan(snapshot?.row.epoch ?? 0);
    }
  });

  it("ends a plan whose document is lost, with a message, and keeps its log", async () => {
    using t = temporaryDirectory();
    await lived(t.path, TASKS);
    // A document of nine thousand characters lies on pages of its own; JSON with a hole in it is none.
    const bytes = readFileSync(t.path);
    const at = bytes.indexOf('"n":6,"text":"ddd');
    bytes.fill(0xff, at, at + 40);
    writeFileSync(t.path, bytes);
    writeFileSync(`${t.path}.check`, "");
    // A hole in a text is nothing that SQLite notices: a page that it does notice makes it look.
    overwrite(t.path, 0, 100);
    await using r = await repaired(t.path);
    expect(r.repair.plans).toEqual(["task-006"]);
    const { snapshot, log } = await whole(r.database.tasks, "task-006");
    expect(snapshot?.row).toMatchObject({
      state: "failed",
      document: { action: "local/act", stage: { state: "failed" }, failure: { reason: "PLAN_DATA_LOST" } },
    });
    expect(snapshot?.history.at(-1)?.parts).toEqual([
      { kind: "text", text: expect.stringContaining("cannot go on") },
    ]);
    expect(log.length).toBe(32);
  });

  it.each([0.3, 0.6, 0.9])("that was cut to %f of its length keeps what is left", async (part) => {
    using t = temporaryDirectory();
    await lived(t.path, TASKS);
    truncateSync(t.path, Math.floor(statSync(t.path).size * part));
    await using r = await repaired(t.path);
    expect(
      r.repair.saved.entries + r.repair.entries.reduce((sum, { lost }) => sum + lost, 0),
    ).toBeGreaterThan(0);
    expect(r.repair.damage).toContain("cut short");
  });

  it("keeps what is only in the log that a killed process left, when the file before it is damaged", async () => {
    using t = temporaryDirectory();
    using copy = temporaryDirectory();
    await lived(t.path, TASKS);
    const database = await open(t.path);
    await database.tasks.commit({ taskId: "task-000", events: [{ key: "newest", event: chunk("newest") }] });
    for (const suffix of ["", "-wal"]) copyFileSync(t.path + suffix, copy.path + suffix);
    await database.close();
    overwrite(copy.path, 0, 3 * PAGE);
    await using r = await repaired(copy.path);
    expect((await r.database.tasks.events("task-000", 0, 1000)).at(-1)).toMatchObject({ key: "newest" });
  });

  it("gives back what is in a log whose file is gone", async () => {
    using t = temporaryDirectory();
    using copy = temporaryDirectory();
    const database = await open(t.path);
    await database.tasks.commit(
      plan("task-000", { document: {}, events: [{ key: "k", event: chunk("kept") }] }),
    );
    copyFileSync(`${t.path}-wal`, `${copy.path}-wal`);
    await database.close();
    const back = await open(copy.path);
    expect(await back.tasks.events("task-000", 0)).toHaveLength(1);
    expect(back.repairs).toMatchObject([{ damage: "only its log is there" }]);
    await back.close();
  });

  it("does not take an empty file for a new one where there has been something", async () => {
    using t = temporaryDirectory();
    writeFileSync(t.path, "");
    const database = await openSqliteDatabase({ path: t.path, clock, logger, used: true });
    expect(database.repairs).toMatchObject([{ damage: "the file is empty", saved: { tasks: 0 } }]);
    await database.close();
  });

  it("is told of for as long as the damaged file is kept", async () => {
    using t = temporaryDirectory();
    await lived(t.path, 2);
    overwrite(t.path, 0, 100);
    await (await open(t.path)).close();
    const later = await open(t.path);
    expect(later.repairs).toHaveLength(1);
    await later.close();
    for (const name of readdirSync(t.directory))
      if (name.includes(".damaged-")) rmSync(`${t.directory}/${name}`);
    const last = await open(t.path);
    expect(last.repairs).toEqual([]);
    await last.close();
  });

  it("keeps each damaged file, when it happens twice within one second", async () => {
    using t = temporaryDirectory();
    await lived(t.path, 2);
    for (let n = 0; n < 2; n += 1) {
      overwrite(t.path, 0, 100);
      await (await open(t.path)).close();
    }
    expect(readdirSync(t.directory).filter((name) => /\.damaged-[^.]*$/.test(name))).toHaveLength(2);
  });
});

describe("a repair that was cut off", () => {
  /** The directory as it is when all is ready and nothing is in its place. */
  async function ready(t: { path: string; directory: string }) {
    await lived(t.path, 3);
    overwrite(t.path, 0, 100);
    const bad = readFileSync(t.path);
    await (await open(t.path)).close();
    const stamp = readdirSync(t.directory)
      .find((name) => /\.damaged-[^.]*$/.test(name))
      ?.slice("store.db.damaged-".length) as string;
    renameSync(t.path, `${t.path}.rebuilt-${stamp}`);
    return { stamp, bad };
  }

  it("before the damaged file was moved is finished", async () => {
    using t = temporaryDirectory();
    const { stamp, bad } = await ready(t);
    renameSync(`${t.path}.damaged-${stamp}`, t.path);
    writeFileSync(`${t.path}-wal`, "a log that must not be played into the new file");
    const database = await open(t.path);
    expect((await database.tasks.list({ principal: "anna", limit: 1 })).total).toBe(3);
    expect(readFileSync(`${t.path}.damaged-${stamp}`).equals(bad)).toBe(true);
    expect(existsSync(`${t.path}.damaged-${stamp}-wal`)).toBe(true);
    await database.close();
  });

  it("when the damaged file was moved and the new one not is finished, not begun anew with nothing", async () => {
    using t = temporaryDirectory();
    await ready(t);
    const database = await open(t.path);
    expect((await database.tasks.list({ principal: "anna", limit: 1 })).total).toBe(3);
    await database.close();
  });

  it("before the new file was complete is begun anew", async () => {
    using t = temporaryDirectory();
    await lived(t.path, 3);
    overwrite(t.path, 0, 100);
    writeFileSync(`${t.path}.rebuilding`, "half");
    writeFileSync(`${t.path}.rebuilding-wal`, "half");
    const database = await open(t.path);
    expect((await database.tasks.list({ principal: "anna", limit: 1 })).total).toBe(3);
    expect(readdirSync(t.directory).filter((name) => name.includes("rebuilding"))).toEqual([]);
    await database.close();
  });

  it("leaves everything as it is where the new file cannot be made", async () => {
    using t = temporaryDirectory();
    await lived(t.path, 3);
    overwrite(t.path, 0, 100);
    const bad = readFileSync(t.path);
    const names = readdirSync(t.directory);
    const broken = Object.fromEntries(
      Object.keys(released).map((name) => [name, { up: () => Promise.reject(new Error("broken")) }]),
    );
    await expect(open(t.path, broken)).rejects.toMatchObject({
      reason: "DATABASE_CORRUPT",
      hint: expect.stringContaining("Nothing was changed"),
    });
    expect(readFileSync(t.path).equals(bad)).toBe(true);
    expect(readdirSync(t.directory).sort()).toEqual(names.sort());
  });
});

describe("whatever is overwritten", () => {
  it("what can be read is what was written, logs have no gaps, and all follows from them", {
    timeout: 120_000,
  }, async () => {
    using t = temporaryDirectory();
    await lived(t.path, TASKS);
    const before = await contents(t.path);
    const size = statSync(t.path).size;
    for (let seed = 1; seed <= 25; seed += 1) {
      using copy = temporaryDirectory();
      copyFileSync(t.path, copy.path);
      const random = generator(seed);
      for (let n = 0; n < 1 + random() * 8; n += 1) {
        const from = Math.floor(random() * size);
        overwrite(copy.path, from, from + Math.floor(random() * 2 * PAGE), Math.floor(random() * 256));
      }
      writeFileSync(`${copy.path}.check`, "");
      const database = await open(copy.path);
      expect(database.checkProjections(), `seed ${seed}`).toEqual([]);
      for (const [taskId, there] of before) {
        const log = await database.tasks.events(taskId, 0, 1000);
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i + 1));
        if (database.repairs.length === 0) continue;
        const altered = log.filter(
          (entry) => !entry.key.startsWith("lost:") && entry.key !== there.log[entry.seq - 1]?.key,
        );
        expect(altered, `seed ${seed}`).toEqual([]);
      }
      await database.close();
      expect(checkProjections(copy.path)).toEqual([]);
    }
  });
});

/** Pages of the table of tasks that hold this one. */
function tasksPages(path: string, taskId: string): readonly number[] {
  return pagesWith(path, `${taskId}contextannaplan`);
}

/** mulberry32: the same numbers for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
