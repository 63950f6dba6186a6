import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { PlanEngine, PlanRunInput } from "@cleveragents/application";
import { type PlanEngineHarness, planEngineSuite } from "@cleveragents/testing";
import { type PostgresService, startPostgres, type TestDatabase } from "@cleveragents/testing/services";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  createPostgresPlanEngine,
  PostgresHostRegistry,
  type PostgresPlanEngineDeps,
} from "../src/openworkflow/index.ts";

const WORKER = fileURLToPath(new URL("./plan-engine-worker.ts", import.meta.url));
const STEPS = ["one", "two", "three", "four", "five"];
const SEED = Number(process.env["CHAOS_SEED"] ?? 20_261_130);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const input = (taskId: string): PlanRunInput => ({ taskId, epoch: 1, part: 0 });

const service = await startPostgres();
let url = "";

describe.skipIf(service === undefined)("OpenWorkflow on PostgreSQL", () => {
  let database: TestDatabase;
  let sql: ReturnType<typeof postgres>;
  beforeAll(async () => {
    database = await (service as PostgresService).createDatabase();
    url = database.url;
    sql = postgres(url, { max: 2, onnotice: () => undefined });
  });
  afterAll(async () => {
    await sql.end();
    await database[Symbol.asyncDispose]();
  });

  planEngineSuite("OpenWorkflow on PostgreSQL", async (): Promise<PlanEngineHarness> => {
    const place = new Place(sql);
    return {
      engine: () => place.engine(),
      dieInStepThree: (of) => place.dieInStepThree(of),
      takeAway: (runId, forMs) => place.takeAway(runId, forMs),
      dispose: () => place.dispose(),
    };
  });

  describe("besides the port", () => {
    let place: Place;
    beforeEach(() => {
      place = new Place(sql);
    });
    afterEach(() => place.dispose());

    test("engines that open a new database at the same time make its tables once", async () => {
      await using fresh = await (service as PostgresService).createDatabase();
      const engines = [0, 1, 2].map(() => place.engine({ url: fresh.url }));
      const ids = await Promise.all(engines.map((engine) => engine.start(input("t"))));
      expect(new Set(ids).size).toBe(1);
      for (const engine of engines) await engine.close(0);
    });

    test("start finds a run again whose idempotency key OpenWorkflow has forgotten", async () => {
      const engine = place.engine();
      const id = await engine.start(input("t"));
      await sql`UPDATE cleveragents_engine.workflow_runs SET created_at = '2020-01-01' WHERE id = ${id}`;
      expect(await engine.start(input("t"))).toBe(id);
    });

    test("a worker takes up the runs of its own host alone, and any host may wake them", async () => {
      const here = place.engine();
      const elsewhere = place.engine({ namespace: `other-${randomUUID()}` });
      const ran: string[] = [];
      await elsewhere.open(async () => void ran.push("elsewhere"));
      await here.open(async (run) => {
        await run.waitForInput("answer", 600_000);
        await run.step("only", async () => ran.push("here"));
      });
      const id = await here.start(input(`task-${randomUUID()}`));
      const { taskId } = await place.inputOf(id);
      while (
        (await sql`SELECT 1 FROM cleveragents_engine.step_attempts WHERE workflow_run_id = ${id}`).length ===
        0
      )
        await delay(10);
      while ((await here.status(id)) !== "completed") {
        await elsewhere.signal(taskId);
        await delay(20);
      }
      expect(ran).toEqual(["here"]);
    });

    test("a host's name belongs to one data directory, until that one has been silent for long", async () => {
      const host = `host-${randomUUID()}`;
      const open = (directory: string) =>
        new PostgresHostRegistry({ url, connectTimeoutMs: 5_000, host, directory });
      const [one, same, other] = [open("a"), open("a"), open("b")];
      await Promise.all([one.beat(), same.beat()]);
      await expect(other.beat()).rejects.toThrow(host);
      expect(await other.silent(60_000)).not.toContain(host);
      await sql`UPDATE cleveragents_engine.hosts SET seen_at = now() - interval '2 minutes' WHERE host = ${host}`;
      expect(await other.silent(60_000)).toContain(host);
      await other.beat();
      expect(await one.silent(60_000)).not.toContain(host);
      await expect(one.beat()).rejects.toThrow(host);
      for (const registry of [one, same, other]) await registry.close();
    });

    test("what the server remarks while a new database is made ready goes to nobody's output", async () => {
      await using fresh = await (service as PostgresService).createDatabase();
      const printed = vi.spyOn(console, "log").mockImplementation(() => undefined);
      const hosts = new PostgresHostRegistry({
        url: fresh.url,
        connectTimeoutMs: 5_000,
        host: "first",
        directory: "a",
      });
      const engine = place.engine({ url: fresh.url });
      try {
        await hosts.beat();
        await engine.start(input("t"));
        expect(printed).not.toHaveBeenCalled();
      } finally {
        printed.mockRestore();
        await hosts.close();
        await engine.close(0);
      }
    });

    test("a database whose connections are cut off and that is away for a time ends no run", async () => {
      const told: string[] = [];
      const tell = (_: unknown, message: string) => told.push(message);
      const engine = place.engine({ leaseMs: 1_000, logger: { ...silent, error: tell, info: tell } });
      const calls: string[] = [];
      const began = Promise.withResolvers<void>();
      await engine.open(async (run) => {
        await run.step("first", async () => calls.push("first"));
        await run.step("second", async () => {
          calls.push("second");
          began.resolve();
          await delay(calls.length > 2 ? 0 : 20_000, undefined, { signal: run.signal });
          return null;
        });
      });
      const id = await engine.start(input("t"));
      await began.promise;
      // No database may be closed from within.
      const outside = postgres(Object.assign(new URL(url), { pathname: "postgres" }).href, { max: 1 });
      await outside.unsafe(`ALTER DATABASE "${database.name}" ALLOW_CONNECTIONS false`);
      // Until it is noticed, and for a while.
      for (let n = 0; n < 30 || told.length === 0; n++) {
        await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${place.application} AND datname = ${database.name}`;
        await delay(100);
      }
      await outside.unsafe(`ALTER DATABASE "${database.name}" ALLOW_CONNECTIONS true`);
      await outside.end();
      while ((await engine.status(id).catch(() => undefined)) !== "completed") await delay(20);
      expect(calls).toEqual(["first", "second", "second"]);
      await expect.poll(() => told, { timeout: 15_000 }).toContain("The engine's database answers again.");
    });

    test(`five runs survive two kills of either of two workers (seed ${SEED})`, {
      timeout: 90_000,
    }, async () => {
      const random = seeded(SEED);
      const starter = place.engine();
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) ids.push(await starter.start(input(`task-${n}`)));
      const workers = [place.work("a0", 1_000), place.work("b0", 1_000)];
      for (let kill = 1; kill <= 2; kill++) {
        const before = place.marks().length;
        const steps = 2 + Math.floor(random() * 4);
        await until(() => place.marks().length >= Math.min(before + steps, 23));
        const victim = random() < 0.5 ? 0 : 1;
        await killed(workers[victim] as ChildProcess);
        workers[victim] = place.work(`${"ab"[victim]}${kill}`, 1_000);
      }
      await until(async () =>
        (await Promise.all(ids.map((id) => starter.status(id)))).every((status) => status === "completed"),
      );
      for (const worker of workers) await killed(worker);
      for (let n = 0; n < 5; n++) {
        const begun = place.marks().filter((mark) => mark.taskId === `task-${n}`);
        // Each begins the one that was in flight again, or the one after it, and nobody one that had ended.
        let next = 0;
        for (const mark of begun) {
          expect([next - 1, next], `task-${n} began ${mark.step}`).toContain(STEPS.indexOf(mark.step));
          next = STEPS.indexOf(mark.step) + 1;
        }
        expect(next).toBe(STEPS.length);
      }
      expect(place.marks().length).toBeLessThanOrEqual(25 + 4 * 4);
    });
  });
});

/** A namespace of its own in the database, and the engines and processes that work in it. */
class Place {
  readonly namespace = `test-${randomUUID()}`;
  readonly application = "cleveragents engine";
  readonly #sql: ReturnType<typeof postgres>;
  readonly #directory = mkdtempSync(join(tmpdir(), "plan-engine-pg-"));
  readonly #engines: PlanEngine[] = [];
  readonly #workers: ChildProcess[] = [];

  constructor(sql: ReturnType<typeof postgres>) {
    this.#sql = sql;
  }

  engine(options: Partial<PostgresPlanEngineDeps> = {}): PlanEngine {
    const engine = createPostgresPlanEngine({
      url,
      namespace: this.namespace,
      poolSize: 4,
      connectTimeoutMs: 5_000,
      logger: silent,
      leaseMs: 2_500,
      retryDelayMs: 5,
      ...options,
    });
    this.#engines.push(engine);
    return engine;
  }

  work(generation: string, leaseMs: number, hangIn = "-"): ChildProcess {
    const args = [url, join(this.#directory, "marks"), generation, hangIn, String(leaseMs), this.namespace];
    const worker = spawn(process.execPath, ["--conditions=@cleveragents/source", WORKER, ...args], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    this.#workers.push(worker);
    return worker;
  }

  marks(): { readonly generation: string; readonly taskId: string; readonly step: string }[] {
    const file = join(this.#directory, "marks");
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        const [generation = "", taskId = "", step = ""] = line.split(" ");
        return { generation, taskId, step };
      });
  }

  async dieInStepThree(of: PlanRunInput) {
    const runId = await this.engine().start(of);
    const worker = this.work("0", 1_000, "three");
    await until(() => this.marks().length >= 3);
    await killed(worker);
    await delay(1_000); // the rest of its lease
    return { runId, begun: this.marks().map((mark) => mark.step) };
  }

  async takeAway(runId: string, forMs: number): Promise<void> {
    await this.#sql`
      UPDATE cleveragents_engine.workflow_runs
      SET worker_id = 'elsewhere', available_at = now() + ${forMs} * interval '1 millisecond'
      WHERE namespace_id = ${this.namespace} AND id = ${runId}`;
  }

  async inputOf(runId: string): Promise<PlanRunInput> {
    const [row] = await this.#sql`SELECT input FROM cleveragents_engine.workflow_runs WHERE id = ${runId}`;
    return row?.["input"] as PlanRunInput;
  }

  async dispose(): Promise<void> {
    for (const worker of this.#workers) worker.kill("SIGKILL");
    for (const engine of this.#engines) await engine.close(0);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

async function killed(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = new Promise((resolve) => worker.once("exit", resolve));
  worker.kill("SIGKILL");
  await gone;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
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
