import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoggedEvent, TaskState } from "@cleveragents/domain";
import { afterEach, expect, test } from "vitest";
import type { TaskRecord } from "../task-record.ts";
import { checkFiles, checkNothingKept } from "./files.ts";
import { checkLog } from "./log.ts";
import { checkTries } from "./outcome.ts";
import { checkNoProcess } from "./processes.ts";
import { checkProjection } from "./projection.ts";
import { checkOldOrNew } from "./repository.ts";

// A check that finds nothing wherever it looks would pass everything: each is shown what it must find.

const status = (seq: number, key: string, state: TaskState): LoggedEvent => ({
  taskId: "t",
  seq,
  key,
  at: seq,
  event: { type: "status", state },
});

const chunk = (seq: number, text: string, append: boolean): LoggedEvent => ({
  taskId: "t",
  seq,
  key: `chunk:${seq}`,
  at: seq,
  event: {
    type: "artifact",
    artifact: { artifactId: "a", parts: [{ kind: "text", text }] },
    append,
    lastChunk: false,
  },
});

function record(events: readonly LoggedEvent[], more: Partial<TaskRecord> = {}): TaskRecord {
  const state = events.findLast(({ event }) => event.type === "status")?.event;
  return {
    taskId: "t",
    state: state?.type === "status" ? state.state : "submitted",
    statusMessage: null,
    lastSeq: events.length,
    document: {},
    events,
    artifacts: [],
    ...more,
  };
}

test("a log with a gap, a repeated key or an event after its end is found", () => {
  const sound = [status(1, "a", "working"), status(2, "b", "completed")];
  expect(checkLog(record(sound))).toEqual([]);
  expect(checkLog(record([status(1, "a", "working"), status(3, "b", "working")]))).toHaveLength(1);
  expect(checkLog(record([status(1, "a", "working"), status(2, "a", "working")]))).toHaveLength(1);
  expect(checkLog(record([...sound, status(3, "c", "completed")]))).toHaveLength(1);
});

test("a row or an artifact that is not what the log folds to is found", () => {
  const events = [
    status(1, "a", "working"),
    chunk(2, "lost", false),
    chunk(3, "new", false),
    chunk(4, "er", true),
  ];
  const artifacts = [
    {
      artifactId: "a",
      parts: [{ kind: "text", text: "new" } as const, { kind: "text", text: "er" } as const],
    },
  ];
  expect(checkProjection(record(events, { artifacts }))).toEqual([]);
  expect(checkProjection(record(events))).toHaveLength(1);
  expect(checkProjection(record(events, { artifacts, state: "completed" }))).toHaveLength(1);
  expect(checkProjection(record(events, { artifacts, lastSeq: 3 }))).toHaveLength(1);
});

test("tries that leave one out, or are more than the interruptions, are found", () => {
  const started = (tried: number) => status(tried, `a1:step:0:try:${tried}:started`, "working");
  expect(checkTries(record([started(1), started(2)]), 1)).toEqual([]);
  expect(checkTries(record([started(1), started(3)]), 1)).toHaveLength(1);
  expect(checkTries(record([started(1), started(2)]), 0)).toHaveLength(1);
});

test("a tree that is neither old nor new is found, and an old one whose index has changed", () => {
  const before = { tree: { a: "1", b: "1" }, state: { index: "1", status: "clean" } };
  const fresh = { a: "2", b: "2" };
  const which = (tree: Record<string, string>, index = "1") =>
    checkOldOrNew(before, fresh, { tree, state: { index, status: "clean" } });
  expect(which(before.tree)).toEqual({ which: "old", problems: [] });
  expect(which(fresh)).toEqual({ which: "new", problems: [] });
  expect(which({ a: "2", b: "1" }).which).toBe("neither");
  expect(which({ a: "2", b: "1" }).problems).not.toEqual([]);
  expect(which(before.tree, "2").problems).toHaveLength(1);
  expect(which(fresh, "2").problems).toHaveLength(1);
});

const made: string[] = [];
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true });
});

function folder(...files: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), "checks-"));
  made.push(root);
  for (const file of files) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  return root;
}

test("files that are left over are found, in the data directory and in the project", async () => {
  expect(await checkFiles(folder("owner.lock", "store.db", "stores/a/HEAD"), folder("src/lock"))).toEqual([]);
  const left = ["journal/a/journal.json.new", "stores/a/index.lock", "owner.json.1f.tmp"];
  for (const file of left) expect(await checkFiles(folder(file), folder())).toHaveLength(1);
  expect(await checkFiles(folder(), folder("src/.cleveragents-apply-0a-1"))).toHaveLength(1);
});

test("what is kept of plans that are over is found", async () => {
  expect(await checkNothingKept(folder("store.db", "journal/done/x"))).toEqual([]);
  const plan = "01J9K2TQ4M8R3V5W7X9Y0Z1A2B";
  for (const file of [
    `sandboxes/${plan}/tree/a`,
    "commands/123",
    `journal/apply-${plan}-0a/journal.json`,
    "journal/locks/a.lock",
    `stores/a/refs/cleveragents/${plan}/base`,
  ])
    expect(await checkNothingKept(folder(file)), file).toHaveLength(1);
});

test.skipIf(process.platform !== "linux")("a process that carries the mark is found", async () => {
  const mark = `mark-${process.pid}-${Math.random()}`;
  const child = spawn("sleep", ["60"], { env: { MARK: mark }, stdio: "ignore" });
  expect(await checkNoProcess(mark, 0)).toHaveLength(1);
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
  expect(await checkNoProcess(mark, 0)).toEqual([]);
});
