import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { describe, expect, it } from "vitest";
import { migrations as released } from "../src/schema/migrations/index.ts";
import { DatabaseForeignError, DatabaseTooNewError, DatabaseUnwritableError } from "../src/sqlite/index.ts";
import { open, plan, temporaryDirectory } from "./sqlite-fixtures.ts";

/** The released migrations and n more. */
function later(n: number, last?: Migration): Readonly<Record<string, Migration>> {
  const more = Array.from({ length: n }, (_, i): [string, Migration] => [
    `9${i}00-later`,
    i === n - 1 && last
      ? last
      : { up: (db) => db.schema.createTable(`later_${i}`).addColumn("a", "text").execute() },
  ]);
  return { ...released, ...Object.fromEntries(more) };
}
const version = Object.keys(released).length;

async function filled(path: string, tasks = 1): Promise<void> {
  const database = await open(path);
  for (let n = 0; n < tasks; n += 1)
    await database.tasks.commit(plan(`t${n}`, { document: { text: "x".repeat(5000) } }));
  await database.close();
}

describe("opening a SQLite file", () => {
  it("makes one that only its owner can read", async () => {
    using t = temporaryDirectory();
    const database = await open(t.path);
    await database.tasks.commit(plan("t"));
    for (const name of readdirSync(t.directory))
      expect(statSync(`${t.directory}/${name}`).mode & 0o777, name).toBe(0o600);
    await database.close();
    expect(readdirSync(t.directory)).toEqual(["store.db"]);
  });

  it("migrates an older one, after it was copied", async () => {
    using t = temporaryDirectory();
    await filled(t.path);
    const database = await open(t.path, later(1));
    expect(await database.tasks.load("t0")).toMatchObject({ document: { text: "x".repeat(5000) } });
    await database.close();
    const backup = `${t.path}.backup-v${version}`;
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    await expect(open(t.path)).rejects.toThrow(DatabaseTooNewError);
    const old = await open(backup);
    expect(await old.tasks.load("t0")).toMatchObject({ lastSeq: 0 });
    await old.close();
  });

  it("makes no copy where nothing is migrated, and keeps the copies of three versions", async () => {
    using t = temporaryDirectory();
    await filled(t.path);
    await (await open(t.path)).close();
    expect(readdirSync(t.directory)).toEqual(["store.db"]);
    for (let n = 1; n <= 5; n += 1) await (await open(t.path, later(n))).close();
    const kept = [2, 3, 4].map((n) => `store.db.backup-v${version + n}`);
    expect(readdirSync(t.directory).sort()).toEqual(["store.db", ...kept].sort());
  });

  it("leaves the file as it was if a migration fails", async () => {
    using t = temporaryDirectory();
    await filled(t.path);
    const before = readFileSync(t.path);
    const broken: Migration = {
      async up(db) {
        await db.schema.createTable("half").addColumn("a", "text").execute();
        await sql`delete from tasks`.execute(db);
        throw new Error("broken");
      },
    };
    await expect(open(t.path, later(2, broken))).rejects.toThrow("broken");
    expect(readFileSync(t.path).equals(before)).toBe(true);
    const database = await open(t.path, later(2));
    expect(await database.tasks.load("t0")).toBeDefined();
    await database.close();
  });

  it("leaves nothing behind if a new one cannot be made", async () => {
    using t = temporaryDirectory();
    await expect(open(t.path, later(1, { up: () => Promise.reject(new Error("broken")) }))).rejects.toThrow(
      "broken",
    );
    expect(readdirSync(t.directory)).toEqual([]);
  });

  it("takes an empty file, and one whose first start was cut off, for a new one", async () => {
    using t = temporaryDirectory();
    writeFileSync(t.path, "");
    await filled(t.path);
    using u = temporaryDirectory();
    const started = new DatabaseSync(u.path);
    started.exec(
      "pragma journal_mode = wal; create table kysely_migration (name varchar(255) primary key, timestamp varchar(255))",
    );
    started.close();
    await filled(u.path);
    expect(readdirSync(u.directory)).toEqual(["store.db"]);
  });
});

const damaged: readonly (readonly [string, (path: string) => Promise<void>])[] = [
  ["is text", async (path) => writeFileSync(path, "a shopping list\n".repeat(1000))],
  ["is shorter than a header", async (path) => writeFileSync(path, "SQLite format 3\0")],
  [
    "was cut short",
    async (path) => {
      await filled(path, 50);
      truncateSync(path, Math.floor(statSync(path).size / 2));
    },
  ],
  [
    "was cut to its first page",
    async (path) => {
      await filled(path);
      truncateSync(path, 4096);
    },
  ],
  [
    "is damaged inside",
    async (path) => {
      await filled(path, 50);
      const bytes = readFileSync(path);
      for (let page = 5; page < 25; page += 1) bytes.fill(0xa5, page * 4096, page * 4096 + 200);
      writeFileSync(path, bytes);
    },
  ],
];

describe("a file is kept aside, told of, and replaced by what can be read of it", () => {
  it.each(damaged)("that %s", async (_, make) => {
    using t = temporaryDirectory();
    await make(t.path);
    const before = readFileSync(t.path);
    const database = await open(t.path);
    const [repair] = database.repairs;
    expect(readFileSync(join(t.directory, repair?.file ?? "")).equals(before)).toBe(true);
    await database.tasks.commit(plan("new"));
    await database.close();
  });
});

describe("a file is refused and left as it was", () => {
  it("that a newer version wrote", async () => {
    using t = temporaryDirectory();
    await (await open(t.path, later(1))).close();
    const before = readFileSync(t.path);
    const refused = open(t.path);
    await expect(refused).rejects.toThrow(DatabaseTooNewError);
    await expect(refused).rejects.toMatchObject({
      reason: "DATABASE_NEWER",
      hint: expect.stringMatching(/newer one.*backup-v/),
    });
    expect(readFileSync(t.path).equals(before)).toBe(true);
  });

  it("that belongs to another program", async () => {
    using t = temporaryDirectory();
    const other = new DatabaseSync(t.path);
    other.exec("create table notes (text)");
    other.close();
    const before = readFileSync(t.path);
    const refused = open(t.path);
    await expect(refused).rejects.toThrow(DatabaseForeignError);
    await expect(refused).rejects.toMatchObject({
      reason: "DATABASE_FOREIGN",
      hint: expect.stringContaining("Nothing was changed"),
    });
    expect(readFileSync(t.path).equals(before)).toBe(true);
    expect(readdirSync(t.directory)).toEqual(["store.db"]);
  });

  it("that is a directory", async () => {
    using t = temporaryDirectory();
    mkdirSync(t.path);
    await expect(open(t.path)).rejects.toThrow(DatabaseForeignError);
  });

  it("whose directory is not there", async () => {
    using t = temporaryDirectory();
    const refused = open(`${t.directory}/nowhere/store.db`);
    await expect(refused).rejects.toThrow(DatabaseUnwritableError);
    await expect(refused).rejects.toMatchObject({
      reason: "DATABASE_UNWRITABLE",
      hint: expect.stringContaining("directory"),
    });
    expect(existsSync(`${t.directory}/nowhere`)).toBe(false);
  });

  it.each(["new", "there"])("whose directory cannot be written, when the file is %s", async (which) => {
    using t = temporaryDirectory();
    if (which === "there") await filled(t.path);
    const before = which === "there" ? readFileSync(t.path) : undefined;
    if (before !== undefined) chmodSync(t.path, 0o666);
    const refused = asNobody(t.directory, () => open(t.path));
    await expect(refused).rejects.toThrow(DatabaseUnwritableError);
    expect(before === undefined ? existsSync(t.path) : readFileSync(t.path).equals(before)).toBe(
      before !== undefined,
    );
  });
});

describe("a SQLite database in use", () => {
  it("fails its check once the file was moved away or replaced", async () => {
    using t = temporaryDirectory();
    const database = await open(t.path);
    await database.check();
    renameSync(t.path, `${t.path}.moved`);
    await expect(database.check()).rejects.toMatchObject({ reason: "DATABASE_UNWRITABLE" });
    writeFileSync(t.path, "another file");
    await expect(database.check()).rejects.toMatchObject({ reason: "DATABASE_UNWRITABLE" });
    await database.close();
  });
});

/** Runs without the right to write the directory; root, whom permissions do not bind, becomes somebody else meanwhile. */
async function asNobody<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const root = process.getuid?.() === 0;
  chmodSync(directory, 0o555);
  if (root) process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    if (root) process.seteuid?.(0);
    chmodSync(directory, 0o755);
  }
}
