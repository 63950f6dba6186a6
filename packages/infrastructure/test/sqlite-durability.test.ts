import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { chunk, logOf, open, plan, temporaryDirectory } from "./sqlite-fixtures.ts";

/** Writes until it has acknowledged so many commits, then is killed; answers all that it acknowledged. */
async function killedWriter(path: string, round: number, acknowledged: number): Promise<readonly string[]> {
  const writer = fileURLToPath(new URL("sqlite-writer.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@cleveragents/source", writer, path, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => {
    output += bytes.toString();
    if (output.split("\n").length > acknowledged) child.kill("SIGKILL");
  });
  const signal = await new Promise((resolve) => child.once("close", (_, by) => resolve(by)));
  expect(signal).toBe("SIGKILL");
  return output.split("\n").slice(0, -1);
}

describe("SQLite", () => {
  it("has every commit that a killed process acknowledged, without a gap", { timeout: 60_000 }, async () => {
    using t = temporaryDirectory();
    const seeds = [7, 133];
    for (const [round, acknowledged] of seeds.entries()) {
      const lines = await killedWriter(t.path, round, acknowledged);
      expect(lines.length).toBeGreaterThanOrEqual(acknowledged);
      const database = await open(t.path);
      const { tasks } = database;
      const there = new Set<string>();
      for (const name of ["a", "b", "c"]) {
        const taskId = `${name}${round}`;
        const log = await logOf(tasks, taskId);
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i + 1));
        for (const { key, seq } of log) there.add(`${taskId} ${key} ${seq}`);
        const snapshot = await tasks.snapshot(taskId, { artifacts: true });
        expect(snapshot).toMatchObject({ row: { lastSeq: log.length, revision: log.length + 1 } });
        expect(snapshot?.artifacts[0]?.parts ?? []).toHaveLength(log.length);
      }
      expect(lines.filter((line) => !there.has(line))).toEqual([]);
      expect((await tasks.list({ principal: "anna", limit: 1 })).total).toBe((round + 1) * 3);
      await database.close();
    }
  });

  it("has everything after it was closed and opened again", async () => {
    using t = temporaryDirectory();
    const document = { a: 1 };
    const entry = { kind: "action" as const, name: "local/a", document, createdAt: 1, updatedAt: 1 };
    const session = {
      sessionId: "s",
      principal: "anna",
      status: "created" as const,
      createdAt: 1,
      updatedAt: 1,
    };
    const first = await open(t.path);
    await first.tasks.commit(
      plan("t", {
        document,
        events: [{ key: "k", event: chunk("1") }],
        inbox: { add: [{ key: "i", body: {} }] },
      }),
    );
    await first.registry.add(entry);
    await first.sessions.create(session);
    const queued = first.tasks.commit({ taskId: "t", events: [{ key: "last", event: chunk("2") }] });
    await first.close();
    expect(await queued).toMatchObject({ lastSeq: 2 });
    const second = await open(t.path);
    expect(await second.tasks.load("t")).toMatchObject({ document, lastSeq: 2 });
    expect(await second.tasks.inbox("t")).toHaveLength(1);
    expect(await second.registry.list("action")).toEqual([entry]);
    expect(await second.sessions.find("s")).toEqual(session);
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
});
