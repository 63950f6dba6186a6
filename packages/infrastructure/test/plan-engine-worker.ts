/**
 * A process that works on the runs of an engine's database until it is killed.
 *
 *     plan-engine-worker.ts <database> <marks> <generation> <hang in step | -> <lease ms> <exclusive | shared | NAMESPACE>
 *
 * Each step that begins appends `<generation> <taskId> <step>` to the marks.
 */
import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { createPostgresPlanEngine, createSqlitePlanEngine } from "../src/openworkflow/index.ts";

flushCompileCache(); // for the next one: what is killed keeps nothing
const [path = "", marks = "", generation = "", hangIn = "", leaseMs = "", ownership = ""] =
  process.argv.slice(2);
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const options = { logger: silent, leaseMs: Number(leaseMs) };
const engine = /^postgres(ql)?:/.test(path)
  ? createPostgresPlanEngine({
      ...options,
      url: path,
      namespace: ownership,
      poolSize: 4,
      connectTimeoutMs: 10_000,
    })
  : createSqlitePlanEngine({ ...options, path, exclusive: ownership === "exclusive" });
await engine.open(async (run) => {
  for (const step of ["one", "two", "three", "four", "five"]) {
    await run.step(step, async () => {
      appendFileSync(marks, `${generation} ${run.input.taskId} ${step}\n`);
      await delay(step === hangIn ? 60_000 : 20);
      return { done: step };
    });
  }
});
