import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSqlitePlanEngine } from "../src/openworkflow/index.ts";

const WORKER = fileURLToPath(new URL("./plan-engine-worker.ts", import.meta.url));
const STEPS = ["one", "two", "three", "four", "five"];
const RUNS = Number(process.env["CHAOS_RUNS"] ?? 4);
const KILLS = Number(process.env["CHAOS_KILLS"] ?? 2);
const SEED = Number(process.env["CHAOS_SEED"] ?? 20_261_129);
const silent = { debug() {}, info() {}, warn() {}, error() {} };

let directory: string;
let marksFile: string;
let worker: ChildProcess | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "plan-engine-chaos-"));
  marksFile = join(directory, "marks");
});
afterEach(async () => {
  await kill();
  rmSync(directory, { recursive: true, force: true });
});

test(`${RUNS} runs of five steps survive ${KILLS} kills of their worker (seed ${SEED})`, {
  timeout: 60_000,
}, async () => {
  const random = seeded(SEED);
  const path = join(directory, "engine.sqlite");
  const starter = createSqlitePlanEngine({ path, logger: silent, exclusive: false });
  const ids: string[] = [];
  for (let index = 0; index < RUNS; index += 1) {
    ids.push(await starter.start({ taskId: `task-${index}`, epoch: 1, part: 0 }));
  }

  for (let generation = 0; generation < KILLS; generation += 1) {
    work(path, generation);
    const before = readMarks().length;
    const steps = 3 + Math.floor(random() * 5);
    await until(() => readMarks().length >= before + steps);
    await delay(random() * 25); // anywhere in a step of 20 ms, or in the writes around it
    await kill();
  }
  work(path, KILLS);
  await until(async () => {
    const statuses = await Promise.all(ids.map((id) => starter.status(id)));
    return statuses.every((status) => status === "completed");
  });
  await starter.close();

  const repeated = readMarks().length - RUNS * STEPS.length;
  expect(repeated).toBeLessThanOrEqual(KILLS * 4); // four at a time
  for (let index = 0; index < RUNS; index += 1) expectNoFinishedStepRepeated(`task-${index}`);
});

/** Every life of the worker goes on with the step that was in flight at the kill, or with the one after it. */
function expectNoFinishedStepRepeated(taskId: string): void {
  const lives = Map.groupBy(
    readMarks().filter((mark) => mark.taskId === taskId),
    (mark) => mark.generation,
  );
  let next = 0;
  for (const marks of lives.values()) {
    const begun = marks.map((mark) => STEPS.indexOf(mark.step));
    const first = begun[0]!;
    expect([next - 1, next], `${taskId} began ${marks[0]!.step}`).toContain(first);
    expect(begun).toEqual(begun.map((_, offset) => first + offset));
    next = first + begun.length;
  }
  expect(next).toBe(STEPS.length);
}

function readMarks(): { generation: string; taskId: string; step: string }[] {
  if (!existsSync(marksFile)) return [];
  const lines = readFileSync(marksFile, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => {
    const [generation = "", taskId = "", step = ""] = line.split(" ");
    return { generation, taskId, step };
  });
}

function work(path: string, generation: number): void {
  worker = spawn(
    process.execPath,
    [
      "--conditions=@cleveragents/source",
      WORKER,
      path,
      marksFile,
      String(generation),
      "-",
      "60000",
      "exclusive",
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
}

async function kill(): Promise<void> {
  const victim = worker;
  worker = undefined;
  if (victim === undefined) return;
  const gone = new Promise((resolve) => victim.once("exit", resolve));
  victim.kill("SIGKILL");
  await gone;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error("It takes too long.");
    await delay(5);
  }
}

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
