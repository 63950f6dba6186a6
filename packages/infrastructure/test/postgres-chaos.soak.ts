import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { TaskStore } from "@cleveragents/application";
import { type PostgresService, startPostgres, type TestDatabase } from "@cleveragents/testing/services";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ask, chunk, logger, logOf, open, plan } from "./postgres-fixtures.ts";

const service = await startPostgres({ own: true });

interface Writer {
  readonly child: ChildProcess;
  readonly lines: string[];
}

/** What is in a log that cannot be: a gap, a key that is there twice, or a projection that says something else. */
async function assertWhole(tasks: TaskStore, taskId: string): Promise<readonly string[]> {
  const log = await logOf(tasks, taskId);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i + 1));
  expect(new Set(log.map(({ key }) => key)).size).toBe(log.length);
  const snapshot = await tasks.snapshot(taskId, { artifacts: true });
  expect(snapshot).toMatchObject({ row: { lastSeq: log.length, revision: log.length + 1 } });
  expect(snapshot?.artifacts[0]?.parts ?? []).toHaveLength(log.length);
  return log.map(({ key, seq }) => `${taskId} ${key} ${seq}`);
}

describe.skipIf(service === undefined)(
  "PostgreSQL, with processes and servers that die",
  { timeout: 120_000 },
  () => {
    const { cluster } = service as PostgresService;
    let database: TestDatabase;
    const children: ChildProcess[] = [];
    beforeAll(async () => {
      database = await (service as PostgresService).createDatabase();
    });
    beforeEach(() => cluster?.start());
    afterEach(() => {
      for (const child of children.splice(0)) child.kill("SIGKILL");
    });
    afterAll(() => service?.stop());

    function startWriter(name: string, tasks: readonly string[]): Writer {
      const file = fileURLToPath(new URL("postgres-writer.ts", import.meta.url));
      const args = ["--conditions=@cleveragents/source", file, database.url, name, tasks.join(",")];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      children.push(child);
      const lines: string[] = [];
      let rest = "";
      child.stdout.on("data", (bytes: Buffer) => {
        const parts = (rest + bytes.toString()).split("\n");
        rest = parts.pop() ?? "";
        lines.push(...parts);
      });
      return { child, lines };
    }

    async function killed({ child, lines }: Writer): Promise<readonly string[]> {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      expect((await closed)[1]).toBe("SIGKILL");
      return lines.filter((line) => line !== "ready");
    }

    const reached = (writers: readonly Writer[], commits: number) =>
      vi.waitFor(
        () => {
          for (const { child, lines } of writers) {
            expect(child.exitCode).toBeNull();
            expect(lines.length).toBeGreaterThan(commits);
          }
        },
        { timeout: 60_000, interval: 10 },
      );

    it("has every commit that killed writers acknowledged, which wrote the same tasks in other orders, without a gap", async () => {
      const tasks = ["a", "b", "c", "d", "e", "f"];
      const writers = [startWriter("one", tasks), startWriter("two", [...tasks].reverse())];
      await reached(writers, 150);
      const first = await killed(writers[0] as Writer);
      await reached(writers.slice(1), 300);
      const second = await killed(writers[1] as Writer);
      const { tasks: store, close } = await open(database.url);
      const there = new Set<string>();
      for (const taskId of tasks) for (const line of await assertWhole(store, taskId)) there.add(line);
      expect([...first, ...second].filter((line) => !there.has(line))).toEqual([]);
      expect((await store.list({ principal: "anna", limit: 1 })).total).toBe(tasks.length);
      await close();
      const [{ deadlocks } = { deadlocks: "?" }] = await ask<{ deadlocks: string }>(
        database.url,
        "select deadlocks from pg_stat_database where datname = current_database()",
      );
      expect(deadlocks).toBe("0");
    });

    it("goes on after a server that crashed again and again: nothing acknowledged is lost, and nothing is there twice", async () => {
      const tasks = ["r1", "r2", "r3"];
      const writer = startWriter("steady", tasks);
      for (let round = 1; round <= 2; round += 1) {
        await reached([writer], writer.lines.length + 60);
        await cluster?.restart();
      }
      await reached([writer], writer.lines.length + 60);
      const acknowledged = await killed(writer);
      const { tasks: store, close } = await open(database.url);
      const there = new Set<string>();
      for (const taskId of tasks) for (const line of await assertWhole(store, taskId)) there.add(line);
      expect(acknowledged.filter((line) => !there.has(line))).toEqual([]);
      await close();
    });

    it("lets calls wait for a server that is away, then fails them as one that may be made again; and works when it is back", async () => {
      const short = await open(database.url, { connectTimeoutMs: 1500 });
      const patient = await open(database.url);
      await short.tasks.commit(plan("away"));
      await cluster?.kill();
      const unavailable = { name: "PostgresUnavailableError", reason: "DATABASE_UNAVAILABLE" };
      const session = {
        sessionId: "s",
        principal: "anna",
        status: "created" as const,
        createdAt: 1,
        updatedAt: 1,
      };
      const failing = [
        short.tasks.commit({ taskId: "away", events: [{ key: "lost", event: chunk("x") }] }),
        short.tasks.load("away"),
        short.tasks.list({ principal: "anna", limit: 1 }),
        short.registry.list("action"),
        short.sessions.create(session),
        short.changesets.get("d"),
        short.check(),
      ];
      const waiting = patient.tasks.commit({ taskId: "away", events: [{ key: "kept", event: chunk("x") }] });
      for (const call of await Promise.allSettled(failing))
        expect(call).toMatchObject({ status: "rejected", reason: unavailable });
      await cluster?.start();
      expect(await waiting).toMatchObject({ appended: 1 });
      await short.check();
      expect((await logOf(short.tasks, "away")).map(({ key }) => key)).toEqual(["kept"]);
      expect(await short.tasks.commit({ taskId: "away", document: {} })).toMatchObject({ lastSeq: 1 });
      await Promise.all([short.close(), patient.close()]);
    });

    it("fails calls to a server that takes them and does not answer, and does not apply late what it said was lost", async () => {
      const database1 = await open(database.url, { connectTimeoutMs: 1500 });
      const { tasks } = database1;
      await tasks.commit(plan("frozen"));
      cluster?.signalAll("SIGSTOP");
      try {
        const stuck = tasks.commit({ taskId: "frozen", events: [{ key: "first", event: chunk("x") }] });
        await expect(stuck).rejects.toMatchObject({ reason: "DATABASE_UNAVAILABLE" });
        await expect(tasks.load("frozen")).rejects.toMatchObject({ reason: "DATABASE_UNAVAILABLE" });
      } finally {
        cluster?.signalAll("SIGCONT");
      }
      await vi.waitFor(() => tasks.check(), { timeout: 20_000 });
      await tasks.commit({ taskId: "frozen", events: [{ key: "first", event: chunk("x") }] });
      await tasks.commit({ taskId: "frozen", events: [{ key: "second", event: chunk("x") }] });
      expect((await logOf(tasks, "frozen")).map(({ key }) => key)).toEqual(["first", "second"]);
      await database1.close();
    });

    it("tells followers in another process of everything, also of what was committed while they could not hear", async () => {
      const follower = await open(database.url, { logger });
      const seen: number[] = [];
      let reading = Promise.resolve();
      const writer = startWriter("followed", ["f"]);
      await reached([writer], 5);
      const read = async () => {
        for (const { seq } of await follower.tasks.events("f", seen.length)) seen.push(seq);
      };
      const unwatch = follower.tasks.watch("f", () => {
        reading = reading.then(read);
      });
      await vi.waitFor(() => expect(seen.length).toBeGreaterThan(50), { timeout: 30_000 });
      // Cut what listens, and nothing else.
      await ask(
        database.url,
        "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'",
      );
      const acknowledged = await (async () => {
        await reached([writer], writer.lines.length + 30);
        return killed(writer);
      })();
      await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(acknowledged.length), {
        timeout: 30_000,
      });
      unwatch();
      await reading;
      expect(seen).toEqual(seen.map((_, i) => i + 1));
      await follower.close();
    });
  },
);
