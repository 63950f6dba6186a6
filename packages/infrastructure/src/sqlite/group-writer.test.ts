import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { GroupWriter } from "./group-writer.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

interface Numbered {
  readonly size: number;
  readonly n: number;
}

/** A writer of numbers, each allowed once; negative ones are refused before anything is written. */
function open() {
  const directory = mkdtempSync(join(tmpdir(), "cleveragents-writer-"));
  const connection = new SqliteConnection(join(directory, "numbers.db"));
  connection.exec("create table numbers (n integer primary key)");
  onTestFinished(() => {
    connection.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const insert = connection.prepare("insert into numbers values (?)");
  const transactions: (readonly number[])[] = [];
  const writer = new GroupWriter<Numbered, number>(connection, {
    begin() {},
    decide({ n }) {
      if (n < 0) throw new RangeError("negative");
      return n;
    },
    write: (n) => void insert.run(n),
    finish() {},
    committed: (numbers) => void transactions.push(numbers),
  });
  const outcomes = async (numbers: readonly number[]) =>
    (await Promise.allSettled(numbers.map((n) => writer.enqueue({ size: 1, n })))).map((outcome) =>
      outcome.status === "fulfilled" ? outcome.value : outcome.reason,
    );
  const stored = () => connection.statement<{ n: number }>("select n from numbers order by n").all();
  return { outcomes, transactions, stored };
}

test("a command that is refused fails alone, and its group is one transaction", async () => {
  const { outcomes, transactions, stored } = open();
  expect(await outcomes([1, -2, 3])).toEqual([1, expect.any(RangeError), 3]);
  expect(transactions).toEqual([[1, 3]]);
  expect(stored()).toEqual([{ n: 1 }, { n: 3 }]);
});

test("a command that cannot be written fails alone, with its own error; those around it keep their order", async () => {
  const { outcomes, transactions, stored } = open();
  await outcomes([3]);
  const [one, two, three, four] = await outcomes([1, 2, 3, 4]);
  expect([one, two, four]).toEqual([1, 2, 4]);
  expect(String(three)).toContain("UNIQUE");
  expect(transactions).toEqual([[3], [1, 2], [4]]);
  expect(stored()).toEqual([1, 2, 3, 4].map((n) => ({ n })));
});
