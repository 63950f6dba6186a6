import { inspect } from "node:util";
import type { TaskStore } from "@cleveragents/application";
import { startPostgres, type TestDatabase } from "@cleveragents/testing/services";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openPostgresDatabase } from "../src/postgres/index.ts";
import { cutOffProxy } from "./cut-off-proxy.ts";
import { ask, chunk, clock, emptied, logger, logOf, open, plan } from "./postgres-fixtures.ts";

const service = await startPostgres();

async function created(options?: string): Promise<TestDatabase> {
  if (service === undefined) throw new Error("no server");
  return service.createDatabase(options === undefined ? {} : { with: options });
}

describe.skipIf(service === undefined)("PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await created();
    await (await open(database.url)).close();
  });
  beforeEach(() => emptied(database.url));
  afterAll(() => database[Symbol.asyncDispose]());

  describe("opening", () => {
    it("by several processes at once makes the tables once, and all of them start", async () => {
      await using empty = await created();
      const opened = await Promise.all([1, 2, 3, 4].map(() => open(empty.url)));
      await opened[0]?.tasks.commit(plan("t"));
      for (const { tasks } of opened) expect(await tasks.load("t")).toMatchObject({ taskId: "t" });
      await Promise.all(opened.map(({ close }) => close()));
    });

    it("finds what was kept before", async () => {
      const first = await open(database.url);
      await first.tasks.commit(plan("t", { document: { a: 1 } }));
      const queued = first.tasks.commit({ taskId: "t", events: [{ key: "k", event: chunk("x") }] });
      await first.close();
      expect(await queued).toMatchObject({ lastSeq: 1 });
      const second = await open(database.url);
      expect(await second.tasks.load("t")).toMatchObject({ document: { a: 1 }, lastSeq: 1 });
      await second.close();
      await second.close();
      for (const call of [
        second.registry.list("action"),
        second.sessions.find("s"),
        second.changesets.get("d"),
        second.check(),
      ]) {
        await expect(call).rejects.toMatchObject({ name: "StoreClosedError" });
      }
    });

    it("compares and orders all text byte by byte, whatever the server's language", async () => {
      const columns = await ask<{ column: string }>(
        database.url,
        `select table_name || '.' || column_name as column from information_schema.columns
         where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`,
      );
      expect(columns).toEqual([]);
    });

    it.each(["SQL_ASCII", "LATIN1"])("refuses a database whose encoding is %s", async (encoding) => {
      await using other = await created(
        `template template0 encoding '${encoding}' locale_provider libc locale 'C'`,
      );
      const opening = open(other.url);
      await expect(opening).rejects.toMatchObject({ reason: "DATABASE_UNSUPPORTED" });
      await expect(opening).rejects.toThrow(`the database's encoding is ${encoding}, not UTF8`);
      expect(
        await ask(other.url, "select from information_schema.tables where table_schema = 'public'"),
      ).toEqual([]);
    });

    it("refuses a database that a newer version has migrated, and changes nothing", async () => {
      await using newer = await created();
      await (await open(newer.url)).close();
      await ask(newer.url, "insert into kysely_migration values ('9999-later', now()::text)");
      await expect(open(newer.url)).rejects.toMatchObject({ reason: "DATABASE_NEWER" });
    });

    it("refuses a database that holds another program's tables, and changes nothing", async () => {
      await using foreign = await created();
      await ask(foreign.url, "create table tasks (id int)");
      await expect(open(foreign.url)).rejects.toMatchObject({ reason: "DATABASE_FOREIGN" });
      expect(
        await ask(foreign.url, "select from information_schema.tables where table_schema = 'public'"),
      ).toHaveLength(1);
    });

    it("says at once that there is no such database, without the password", async () => {
      const url = new URL(database.url);
      url.password = "secret";
      url.pathname = "/nowhere";
      const opening = open(url.href);
      await expect(opening).rejects.toMatchObject({ reason: "DATABASE_REFUSED" });
      await expect(opening).rejects.not.toThrow("secret");
    });

    it("refuses an address that is none, without repeating it", async () => {
      const opening = openPostgresDatabase({
        url: "mysql://u:secret@h/d",
        poolSize: 3,
        connectTimeoutMs: 1000,
        clock,
        logger,
      });
      await expect(opening).rejects.toThrow("postgresql://user:password@host:port/database");
      await expect(opening).rejects.not.toThrow("secret");
    });

    it("gives up on a server that is not there when its time is up", async () => {
      const opening = open("postgresql://postgres@127.0.0.1:1/none", { connectTimeoutMs: 300 });
      await expect(opening).rejects.toMatchObject({ reason: "DATABASE_UNAVAILABLE" });
    });
  });

  it("logs of an idle connection that breaks what the driver says, and nothing that the server's queries are ended by", async () => {
    const logged: object[] = [];
    const warn = (line: object) => void logged.push(line);
    const { tasks, close } = await open(database.url, { logger: { ...logger, warn } });
    await tasks.load("nobody");
    await ask(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await expect
      .poll(() => logged, { timeout: 10_000 })
      .toContainEqual({
        error: expect.stringContaining("terminat"),
        database: expect.any(String),
      });
    expect(inspect(logged, { depth: 9 })).not.toContain("secretKey");
    await close();
  });

  describe("an answer that is lost", () => {
    const asks = (name: string) => (request: string) => request.includes(name);

    it("of a commit: it is asked for again, applied once, and told as it was", async () => {
      using proxy = await cutOffProxy(database.url);
      const { tasks, close } = await open(proxy.url);
      await tasks.commit(plan("t"));
      for (let n = 1; n <= 3; n += 1) {
        proxy.loseAnswerTo(asks(`key ${n}`));
        const commit = (key: string) => tasks.commit({ taskId: "t", events: [{ key, event: chunk(key) }] });
        const outcomes = await Promise.allSettled([
          commit(`key ${n}`),
          tasks.commit({ taskId: "nobody", document: {} }),
          commit(`more ${n}`),
        ]);
        expect(outcomes).toMatchObject([
          { value: { appended: 1, lastSeq: 2 * n - 1 } },
          { reason: { name: "TaskNotFoundError" } },
          { value: { appended: 1, lastSeq: 2 * n } },
        ]);
        expect(proxy.cuts()).toBe(n);
      }
      expect(await logOf(tasks, "t")).toHaveLength(6);
      expect(await tasks.load("t")).toMatchObject({ revision: 7 });
      await close();
    });

    it("of the making of a task or of a claim: it is not refused as one that was there before", async () => {
      using proxy = await cutOffProxy(database.url);
      const { tasks, close } = await open(proxy.url);
      proxy.loseAnswerTo(asks("commit_group"));
      const claimMessage = { principal: "anna", messageId: "m" };
      expect(await tasks.commit(plan("t", { claimMessage }))).toMatchObject({ revision: 1 });
      expect(proxy.cuts()).toBe(1);
      await close();
    });

    it("of the adding of an entry: the same", async () => {
      using proxy = await cutOffProxy(database.url);
      const { registry, close } = await open(proxy.url);
      const entry = {
        kind: "action" as const,
        name: "local/a",
        document: { a: 1 },
        createdAt: 1,
        updatedAt: 1,
      };
      proxy.loseAnswerTo(asks("registry_entries"));
      await registry.add(entry);
      await expect(registry.add(entry)).rejects.toMatchObject({ name: "EntryExistsError" });
      expect(proxy.cuts()).toBe(1);
      await close();
    });
  });

  describe("two processes", () => {
    it("that write the same tasks in crossing orders never wait in a circle, and number without a gap", async () => {
      const [one, two] = await Promise.all([open(database.url), open(database.url)]);
      const ids = Array.from({ length: 12 }, (_, i) => `task ${i}`);
      for (const taskId of ids) await one.tasks.commit(plan(taskId));
      const writeAll = async (tasks: TaskStore, name: string, order: readonly string[]) => {
        for (let round = 0; round < 20; round += 1) {
          await Promise.all(
            order.map((taskId) =>
              tasks.commit({
                taskId,
                events: [{ key: `${name} ${round}`, event: chunk(name) }],
                document: { name, round },
              }),
            ),
          );
        }
      };
      await Promise.all([writeAll(one.tasks, "one", ids), writeAll(two.tasks, "two", [...ids].reverse())]);
      for (const taskId of ids) {
        const log = await logOf(two.tasks, taskId);
        expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
      }
      const [row] = await ask<{ deadlocks: string }>(
        database.url,
        "select deadlocks from pg_stat_database where datname = current_database()",
      );
      expect(row?.deadlocks).toBe("0");
      await Promise.all([one.close(), two.close()]);
    });

    it("that make the same task, or claim the same message, at once: one does, and the other is told", async () => {
      const [one, two] = await Promise.all([open(database.url), open(database.url)]);
      for (let n = 0; n < 10; n += 1) {
        const claimMessage = { principal: "anna", messageId: `m${n}` };
        const made = await Promise.allSettled([one, two].map(({ tasks }) => tasks.commit(plan(`same ${n}`))));
        const claimed = await Promise.allSettled(
          [one, two].map(({ tasks }, i) => tasks.commit(plan(`claims ${n} ${i}`, { claimMessage }))),
        );
        const reasons = [made, claimed].map((all) =>
          all.flatMap((outcome) => (outcome.status === "rejected" ? [(outcome.reason as Error).name] : [])),
        );
        expect(reasons).toEqual([["TaskExistsError"], ["MessageSeenError"]]);
      }
      expect(await one.tasks.list({ principal: "anna", limit: 1 })).toMatchObject({ total: 20 });
      expect(await one.tasks.count("plan", ["submitted"])).toBe(20);
      await Promise.all([one.close(), two.close()]);
    });

    it("hear of each other's commits, and once of their own", async () => {
      const [one, two] = await Promise.all([open(database.url), open(database.url)]);
      const [mine, theirs] = [vi.fn(), vi.fn()];
      one.tasks.watch(undefined, mine);
      two.tasks.watch("a:1:b", theirs);
      await one.tasks.commit(plan("a:1:b"));
      await one.tasks.commit({ taskId: "a:1:b", events: [{ key: "k", event: chunk("x") }] });
      await vi.waitFor(() => expect(theirs).toHaveBeenCalledWith("a:1:b", 1));
      await two.tasks.commit(plan("end"));
      await vi.waitFor(() => expect(mine).toHaveBeenCalledWith("end", 0));
      expect(mine.mock.calls).toEqual([
        ["a:1:b", 0],
        ["a:1:b", 1],
        ["end", 0],
      ]);
      await Promise.all([one.close(), two.close()]);
    });
  });

  it("wakes watchers after wake-ups may have been lost, with what their tasks have reached", async () => {
    using proxy = await cutOffProxy(database.url);
    const [deaf, other] = await Promise.all([open(proxy.url), open(database.url)]);
    for (const taskId of ["t", "u"]) await other.tasks.commit(plan(taskId));
    const [one, all] = [vi.fn(), vi.fn()];
    deaf.tasks.watch("t", one);
    deaf.tasks.watch(undefined, all);
    proxy.shut();
    const commit = (taskId: string) =>
      other.tasks.commit({ taskId, events: [{ key: "missed", event: chunk("x") }] });
    await Promise.all([commit("t"), commit("u")]);
    proxy.open();
    await vi.waitFor(() => expect(one).toHaveBeenCalledWith("t", 1), { timeout: 20_000 });
    await vi.waitFor(() => expect(all).toHaveBeenCalledWith("u", 1), { timeout: 20_000 });
    await commit("t");
    await other.tasks.commit({ taskId: "t", events: [{ key: "heard", event: chunk("x") }] });
    await vi.waitFor(() => expect(one).toHaveBeenCalledWith("t", 2), { timeout: 20_000 });
    await Promise.all([deaf.close(), other.close()]);
  });

  it("tells bodies of an inbox entry apart that differ in what JSON of the server cannot hold", async () => {
    const { tasks, close } = await open(database.url);
    await tasks.commit(plan("t"));
    const texts = ["\u0000", "\\u0000", "\ud800", "\\ud800", "\ue000", "\ue0001", "\ue0002d800", "\ue0000"];
    for (const [i, text] of texts.entries()) {
      const add = (body: object) =>
        tasks.commit({ taskId: "t", inbox: { add: [{ key: `${i}`, body: body as never }] } });
      await add({ text, n: 1 });
      expect(await add({ n: 1, text })).toMatchObject({ revision: i + 2 });
      for (const other of texts) {
        if (other !== text)
          await expect(add({ n: 1, text: other })).rejects.toMatchObject({ name: "InboxConflictError" });
      }
    }
    await close();
  });

  it("carries out a command that alone is larger than a group", async () => {
    const { tasks, close } = await open(database.url);
    const text = "ä\u0000".repeat(700_000);
    await Promise.all(["a", "b"].map((taskId) => tasks.commit(plan(taskId, { document: { text } }))));
    expect((await tasks.load("b"))?.document).toEqual({ text });
    await close();
  });
});
