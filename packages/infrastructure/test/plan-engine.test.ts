import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger, PlanEngine, PlanRun, PlanRunInput } from "@cleveragents/application";
import { type PlanEngineHarness, planEngineSuite } from "@cleveragents/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InMemoryEngineState, InMemoryPlanEngine } from "../src/memory/in-memory-plan-engine.ts";
import type { EngineStore } from "../src/openworkflow/engine-store.ts";
import { createSqlitePlanEngine, type SqlitePlanEngineDeps } from "../src/openworkflow/index.ts";
import { OpenWorkflowPlanEngine } from "../src/openworkflow/open-workflow-plan-engine.ts";
import { openSqliteEngineStore } from "../src/openworkflow/sqlite-engine-store.ts";

const WORKER = fileURLToPath(new URL("./plan-engine-worker.ts", import.meta.url));
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const input = (taskId: string): PlanRunInput => ({ taskId, epoch: 1, part: 0 });

planEngineSuite("in memory", async (): Promise<PlanEngineHarness> => {
  const state = new InMemoryEngineState();
  const engines: InMemoryPlanEngine[] = [];
  const make = (): InMemoryPlanEngine => {
    const engine = new InMemoryPlanEngine({ state, retryDelayMs: 5 });
    engines.push(engine);
    return engine;
  };
  return {
    engine: make,
    async dieInStepThree(of) {
      const doomed = make();
      const begun: string[] = [];
      const inThree = Promise.withResolvers<void>();
      await doomed.open(async (run) => {
        for (const step of ["one", "two", "three", "four", "five"]) {
          await run.step(step, async () => {
            begun.push(step);
            if (step === "three") {
              inThree.resolve();
              await new Promise(() => undefined);
            }
            return { done: step };
          });
        }
      });
      const runId = await doomed.start(of);
      await inThree.promise;
      doomed.kill();
      return { runId, begun };
    },
    takeAway: async (runId, forMs) => state.takeAway(runId, forMs),
    async dispose() {
      for (const engine of engines) await engine.close(0);
    },
  };
});

planEngineSuite("OpenWorkflow on SQLite", async (): Promise<PlanEngineHarness> => {
  const place = new Place();
  return {
    // A short lease, so that a loss shows soon. Not exclusive: some tests have two engines at a time.
    engine: () => place.engine({ leaseMs: 2_500 }),
    async dieInStepThree(of) {
      const { runId, begun } = await place.dieInStepThree(of, "exclusive");
      // What a process that owns the directory does at its start: here an engine that opens and leaves.
      const owner = place.engine({ exclusive: true });
      await owner.open(() => new Promise(() => undefined));
      await owner.close(0);
      return { runId, begun };
    },
    async takeAway(runId, forMs) {
      place.sql(
        `UPDATE workflow_runs SET worker_id = 'elsewhere', available_at = ? WHERE id = ?`,
        new Date(Date.now() + forMs).toISOString(),
        runId,
      );
    },
    dispose: () => place.dispose(),
  };
});

describe("OpenWorkflow on SQLite, besides the port", () => {
  let place: Place;
  beforeEach(() => {
    place = new Place();
  });
  afterEach(() => place.dispose());

  test("start finds a run again whose idempotency key OpenWorkflow has forgotten", async () => {
    const engine = place.engine();
    const id = await engine.start(input("t"));
    place.sql(`UPDATE workflow_runs SET created_at = '2020-01-01T00:00:00.000Z' WHERE id = ?`, id);
    expect(await engine.start(input("t"))).toBe(id);
  });

  test("the owner of the directory resumes at once what a dead process held", async () => {
    const { runId } = await place.dieInStepThree(input("t"), "exclusive");
    const owner = place.engine({ exclusive: true });
    const opening = performance.now();
    const again: string[] = [];
    await owner.open(async (run) => {
      for (const step of ["one", "two", "three"]) await run.step(step, async () => again.push(step));
    });
    while ((await owner.status(runId)) !== "completed") await delay(5);
    expect(performance.now() - opening).toBeLessThan(3_000);
    expect(again).toEqual(["three"]);
  });

  test("without ownership, a dead process's run is taken over when its lease has run out", async () => {
    const { runId } = await place.dieInStepThree(input("t"), "shared", 1_000);
    const other = place.engine();
    const again: string[] = [];
    await other.open(async (run) => {
      for (const step of ["one", "two", "three"]) await run.step(step, async () => again.push(step));
    });
    while ((await other.status(runId)) !== "completed") await delay(20);
    expect(again).toEqual(["three"]);
  });

  test("the operator is warned at a run's 800th step, once", async () => {
    const warnings: unknown[] = [];
    const engine = place.engine({
      logger: { ...silent, warn: (fields, message) => warnings.push({ ...fields, message }) },
    });
    const runId = await engine.start(input("t"));
    place.sql(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 796)
       INSERT INTO step_attempts (namespace_id, id, workflow_run_id, step_name, kind, status, config, output,
         created_at, updated_at)
       SELECT 'default', 'attempt-' || i, ?, 'step-' || i, 'function', 'completed', '{}', i,
         '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z' FROM n`,
      runId,
    );
    const results: number[] = [];
    await engine.open(async (run) => {
      for (let index = 0; index < 798; index += 1)
        results.push(await run.step(`step-${index}`, async () => -1));
      await run.waitForInput("pause", 1); // the 799th; the count goes on in the next pass
      for (let index = 0; index < 3; index += 1) await run.step(`late-${index}`, async () => null);
    });
    while ((await engine.status(runId)) !== "completed") await delay(5);
    expect(results.slice(0, 798)).toEqual([...Array.from({ length: 797 }, (_, index) => index), -1]);
    expect(warnings).toEqual([{ runId, attempts: 800, message: "A run nears the limit of 1,000 steps." }]);
  });

  test("a database that stops answering stops the work, ends no run, and is reported", async () => {
    const told: string[] = [];
    const tell = (_fields: Record<string, unknown>, message: string) => told.push(message);
    const database = { down: false };
    const engine = new OpenWorkflowPlanEngine({
      openStore: () =>
        place.store(() => {
          if (database.down) throw new Error("disk I/O error");
        }),
      logger: { ...silent, error: tell, info: tell, warn: tell },
      leaseMs: 300,
      exclusive: false,
    });
    const began = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const calls: string[] = [];
    await engine.open(async (run) => {
      await run.step("first", async () => calls.push("first"));
      await run.step("second", async () => {
        if (calls.push("second") > 2) return null;
        began.resolve();
        run.signal.addEventListener("abort", () => stopped.resolve(), { once: true });
        await delay(5_000, undefined, { signal: run.signal });
        return null;
      });
    });
    const runId = await engine.start(input("t"));
    await began.promise;
    database.down = true;
    await stopped.promise; // the lease could not be renewed
    await expect(engine.start(input("u"))).rejects.toThrow("disk I/O error");
    while (!told.includes("The engine's database does not answer.")) await delay(20);
    database.down = false;
    while ((await engine.status(runId)) !== "completed") await delay(20);
    expect(calls).toEqual(["first", "second", "second"]);
    expect(told).toEqual([
      "A run was lost: another worker has it, or the database is away.",
      "The engine's database does not answer.",
      "The engine's database answers again.",
    ]);
    await engine.close();
  });

  test("a result that cannot be written is no failure of its step", async () => {
    const database = { full: false };
    const engine = new OpenWorkflowPlanEngine({
      openStore: () =>
        place.store((method) => {
          if (database.full && /^(create|complete|fail)StepAttempt/.test(method))
            throw new Error("database or disk is full");
        }),
      logger: silent,
      exclusive: false,
    });
    let calls = 0;
    await engine.open(async (run) => {
      await run.step(
        "only",
        async () => {
          calls += 1;
          database.full = calls === 1;
          return null;
        },
        { attempts: 1 },
      );
    });
    const runId = await engine.start(input("t"));
    while (calls === 0) await delay(5);
    await delay(20);
    database.full = false;
    while ((await engine.status(runId)) !== "completed") await delay(20);
    expect(calls).toBe(2);
    await engine.close();
  });

  test("a database whose files vanish lets the engine close in peace", async () => {
    const engine = place.engine();
    const began = Promise.withResolvers<void>();
    await engine.open(async (run) => {
      await run.step("long", async () => {
        began.resolve();
        await delay(5_000, undefined, { signal: run.signal });
        return null;
      });
    });
    await engine.start(input("t"));
    await began.promise;
    place.remove();
    await engine.close(1_000);
  });

  test("an engine whose file cannot be opened says so, and may be asked again", async () => {
    const directory = join(place.directory, "later");
    const engine = place.engine({ path: join(directory, "engine.sqlite") });
    await expect(engine.start(input("t"))).rejects.toThrow(/open/);
    mkdirSync(directory);
    await expect(engine.start(input("t"))).resolves.toEqual(expect.any(String));
  });

  test("a step that takes longer than the lease keeps its run", async () => {
    let calls = 0;
    const workflow = async (run: PlanRun): Promise<void> => {
      await run.step("long", async () => {
        calls += 1;
        await delay(2_500);
        return null;
      });
    };
    // With one place there is no claim in the meantime that would renew the lease on its way.
    const engine = place.engine({ leaseMs: 1_500, concurrency: 1 });
    await engine.open(workflow);
    const runId = await engine.start(input("t"));
    while (calls === 0) await delay(5);
    const rival = place.engine({ leaseMs: 1_500 });
    await rival.open(workflow);
    while ((await engine.status(runId)) !== "completed") await delay(20);
    expect(calls).toBe(1);
  });

  test("what is recorded of a run stays for a while after its end, and is removed then", async () => {
    const kept = place.engine({ removeEndedEveryMs: 10 });
    await kept.open(async (run) => void (await run.step("only", async () => null)));
    const ended = await kept.start(input("ended"));
    while ((await kept.status(ended)) !== "completed") await delay(5);
    await delay(60);
    expect(await kept.status(ended)).toBe("completed");
    await kept.close();

    const engine = place.engine({ removeEndedEveryMs: 10, keepEndedMs: 0 });
    await engine.open(async (run) => {
      if (run.input.taskId === "waits") await run.waitForInput("gate", 60_000);
      else await run.step("only", async () => null);
    });
    const waits = await engine.start(input("waits"));
    const many = await Promise.all(Array.from({ length: 50 }, (_, n) => engine.start(input(`many${n}`))));
    for (const id of [ended, ...many]) while ((await engine.status(id)) !== undefined) await delay(5);
    expect(await engine.status(waits)).toBe("waiting");
    await engine.signal("waits");
    while ((await engine.status(waits)) !== undefined) await delay(5);
    await engine.close();
    for (const table of ["workflow_runs", "step_attempts", "workflow_signals"])
      expect(place.count(table), table).toBe(0);
  });

  test("a claim does not look through the runs that sleep", async () => {
    const engine = place.engine();
    await engine.start(input("t"));
    const expired = `UPDATE "workflow_runs" SET "status" = 'failed' WHERE "namespace_id" = ?
      AND "status" IN ('pending', 'running', 'sleeping') AND "deadline_at" IS NOT NULL AND "deadline_at" <= ?`;
    expect(place.explain(expired)).toEqual([expect.stringContaining("cleveragents_deadlines")]);
  });

  test("a closed engine refuses work", async () => {
    const engine = place.engine();
    await engine.close();
    await expect(engine.start(input("t"))).rejects.toThrow("The engine is closed.");
  });

  test("an idle engine asks its database once in five seconds", async () => {
    let claims = 0;
    const engine = new OpenWorkflowPlanEngine({
      openStore: () =>
        place.store((method) => {
          if (method === "claimWorkflowRun") claims += 1;
        }),
      logger: silent,
      exclusive: true,
    });
    await engine.open(async () => undefined);
    await delay(500);
    expect(claims).toBe(1);
    await engine.close();
  });
});

/** A directory with an engine's database, and the engines and processes that use it. */
class Place {
  readonly directory = mkdtempSync(join(tmpdir(), "plan-engine-"));
  readonly #path = join(this.directory, "engine.sqlite");
  readonly #engines: PlanEngine[] = [];

  engine(options: Partial<SqlitePlanEngineDeps> = {}): PlanEngine {
    const engine = createSqlitePlanEngine({
      path: this.#path,
      logger: silent,
      exclusive: false,
      retryDelayMs: 5,
      ...options,
    });
    this.#engines.push(engine);
    return engine;
  }

  sql(statement: string, ...values: string[]): void {
    const database = new DatabaseSync(this.#path, { timeout: 1_000 });
    database.prepare(statement).run(...values);
    database.close();
  }

  count(table: string): number {
    const database = new DatabaseSync(this.#path, { readOnly: true });
    const n = Number(database.prepare(`SELECT count(*) AS "n" FROM "${table}"`).get()?.["n"]);
    database.close();
    return n;
  }

  explain(statement: string): string[] {
    const database = new DatabaseSync(this.#path, { readOnly: true });
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all();
    database.close();
    return plan.map((row) => String(row["detail"]));
  }

  async dieInStepThree(of: PlanRunInput, ownership: "exclusive" | "shared", leaseMs = 60_000) {
    const starter = this.engine();
    const runId = await starter.start(of);
    const marks = join(this.directory, "marks");
    const child = spawn(
      process.execPath,
      [
        "--conditions=@cleveragents/source",
        WORKER,
        this.#path,
        marks,
        "0",
        "three",
        String(leaseMs),
        ownership,
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    const begun = () => (existsSync(marks) ? readFileSync(marks, "utf8").trim().split("\n") : []);
    const deadline = performance.now() + 8_000;
    while (begun().length < 3 && performance.now() < deadline) await delay(5);
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    return { runId, begun: begun().map((line) => line.split(" ").at(-1) ?? "") };
  }

  /** The engine's store, with `before` called ahead of every call of its backend. */
  async store(before: (method: string) => void): Promise<EngineStore> {
    const store = await openSqliteEngineStore({ path: this.#path, logger: silent });
    const backend = new Proxy(store.backend, {
      get(target, key) {
        const method: unknown = Reflect.get(target, key);
        if (typeof method !== "function") return method;
        return async (...args: unknown[]) => {
          before(String(key));
          return method.apply(target, args) as unknown;
        };
      },
    });
    return { ...store, backend };
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  async dispose(): Promise<void> {
    for (const engine of this.#engines) await engine.close(0);
    this.remove();
  }
}
