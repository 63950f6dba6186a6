import { setTimeout as delay } from "node:timers/promises";
import type { PlanEngine, PlanRun, PlanRunInput, PlanRunStatus } from "@cleveragents/application";
import type { JsonValue } from "@cleveragents/domain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** One durable state and the engines on it. */
export interface PlanEngineHarness {
  /** A new engine, not open yet: four runs at a time, step retries after a few milliseconds. */
  engine(): PlanEngine;
  /**
   * Starts this run in an engine of its own, whose workflow does the steps `one` to `five`, each answering
   * `{ done: <name> }`, and which dies without a farewell inside step `three`. Answers the steps that had begun.
   */
  dieInStepThree(input: PlanRunInput): Promise<{ readonly runId: string; readonly begun: readonly string[] }>;
  /** Gives the run to a worker elsewhere, which dies `forMs` later. */
  takeAway(runId: string, forMs: number): Promise<void>;
  /** Closes every engine that is left, and removes the state. */
  dispose(): Promise<void>;
}

const STEPS = ["one", "two", "three", "four", "five"];
const input = (taskId: string, epoch = 1, part = 0): PlanRunInput => ({ taskId, epoch, part });

/** What every adapter of PlanEngine owes. */
export function planEngineSuite(name: string, openHarness: () => Promise<PlanEngineHarness>): void {
  describe(`PlanEngine: ${name}`, () => {
    let harness: PlanEngineHarness;
    beforeEach(async () => {
      harness = await openHarness();
    });
    afterEach(() => harness.dispose());

    const opened = async (workflow: (run: PlanRun) => Promise<void>): Promise<PlanEngine> => {
      const engine = harness.engine();
      await engine.open(workflow);
      return engine;
    };

    describe("start", () => {
      test("the same input twice is the same run, which runs once", async () => {
        let calls = 0;
        const engine = await opened(async (run) => {
          await run.step("count", async () => ++calls);
        });
        const first = await engine.start(input("t"));
        const second = await engine.start(input("t"));
        await reaches(engine, first, "completed");
        const third = await engine.start(input("t"));
        expect([second, third]).toEqual([first, first]);
        await delay(50);
        expect(calls).toBe(1);
      });

      test("the same input at the same moment is the same run", async () => {
        const engine = harness.engine();
        const ids = await Promise.all(Array.from({ length: 5 }, () => engine.start(input("t"))));
        expect(new Set(ids).size).toBe(1);
      });

      test("another epoch, part or task is another run", async () => {
        const engine = harness.engine();
        const ids = await Promise.all(
          [input("t"), input("t", 2), input("t", 1, 1), input("u")].map((each) => engine.start(each)),
        );
        expect(new Set(ids).size).toBe(4);
      });

      test("a run that is started before the engine opens waits for it", async () => {
        const engine = harness.engine();
        const id = await engine.start(input("t"));
        expect(await engine.status(id)).toBe("waiting");
        await engine.open(async () => undefined);
        await reaches(engine, id, "completed");
      });

      test("a run that is started outlives its engine", async () => {
        const before = harness.engine();
        const id = await before.start(input("t"));
        await before.close();
        const after = await opened(async () => undefined);
        await reaches(after, id, "completed");
      });

      test("the workflow is given the run's id and input", async () => {
        let seen: unknown;
        const engine = await opened(async (run) => {
          seen = { runId: run.runId, input: run.input };
        });
        const id = await engine.start(input("t", 3, 2));
        await reaches(engine, id, "completed");
        expect(seen).toEqual({ runId: id, input: { taskId: "t", epoch: 3, part: 2 } });
      });

      test("a run begins within milliseconds", async () => {
        let began = 0;
        const engine = await opened(async () => {
          began = performance.now();
        });
        await reaches(engine, await engine.start(input("warm")), "completed");
        await delay(300); // let any polling settle into its idle pace
        const started = performance.now();
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(began - started).toBeLessThan(300);
      });
    });

    describe("step", () => {
      test("results are remembered as JSON, and finished steps are not repeated", async () => {
        const values: JsonValue[] = [null, true, 0, "", "text", [1, [2, null]], { a: { b: ["c"] } }];
        const calls: number[] = [];
        const passes: JsonValue[][] = [];
        const engine = await opened(async (run) => {
          const results: JsonValue[] = [];
          passes.push(results);
          for (const [index, value] of values.entries()) {
            const result = await run.step(`value-${index}`, async () => {
              calls.push(index);
              return value;
            });
            results.push(result);
          }
          await run.waitForInput("pause", 60_000); // so that the workflow is called a second time
        });
        const id = await engine.start(input("t"));
        await reaches(engine, id, "waiting");
        await engine.signal("t");
        await reaches(engine, id, "completed");
        expect(calls).toEqual(values.map((_, index) => index));
        expect(passes).toEqual([values, values]);
      });

      test("a name that is used again answers what it remembers", async () => {
        let calls = 0;
        const results: number[] = [];
        const engine = await opened(async (run) => {
          results.push(await run.step("count", async () => ++calls));
          results.push(await run.step("count", async () => ++calls));
        });
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(results).toEqual([1, 1]);
      });

      test("a throw is tried again until it succeeds", async () => {
        let calls = 0;
        const engine = await opened(async (run) => {
          await run.step("flaky", async () => {
            calls += 1;
            if (calls < 3) throw new Error("not yet");
            return calls;
          });
        });
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(calls).toBe(3);
      });

      test("after three attempts the run fails", async () => {
        let calls = 0;
        const engine = await opened(async (run) => {
          await run.step("broken", async () => {
            calls += 1;
            throw new Error("never");
          });
        });
        await reaches(engine, await engine.start(input("t")), "failed");
        expect(calls).toBe(3);
      });

      test("the number of attempts can be chosen", async () => {
        const calls = { once: 0, five: 0 };
        const engine = await opened(async (run) => {
          await run.step(
            "five",
            async () => {
              calls.five += 1;
              if (calls.five < 5) throw new Error("not yet");
              return null;
            },
            { attempts: 5 },
          );
          await run.step(
            "once",
            async () => {
              calls.once += 1;
              throw new Error("no");
            },
            { attempts: 1 },
          );
        });
        await reaches(engine, await engine.start(input("t")), "failed");
        expect(calls).toEqual({ once: 1, five: 5 });
      });

      test("steps that are finished are not repeated when a later one is tried again", async () => {
        const calls: string[] = [];
        const engine = await opened(async (run) => {
          await run.step("first", async () => calls.push("first"));
          await run.step("second", async () => {
            if (calls.push("second") < 4) throw new Error("not yet");
            return null;
          });
        });
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(calls).toEqual(["first", "second", "second", "second"]);
      });

      test("a workflow that catches a step's last failure is told what was thrown, and fails all the same", async () => {
        let caught: unknown;
        let later = 0;
        const engine = await opened(async (run) => {
          try {
            await run.step("broken", () => Promise.reject(new Error("the reason")), { attempts: 1 });
          } catch (error) {
            caught = error;
          }
          await run.step("later", async () => ++later).catch(() => undefined);
        });
        await reaches(engine, await engine.start(input("t")), "failed");
        expect(caught).toEqual(new Error("the reason"));
        expect(later).toBe(0);
      });

      test("a workflow is not told of an attempt that is made again", async () => {
        let calls = 0;
        const caught: unknown[] = [];
        const engine = await opened(async (run) => {
          try {
            await run.step("flaky", async () => {
              calls += 1;
              if (calls < 3) throw new Error("not yet");
              return null;
            });
          } catch (error) {
            caught.push(error);
          }
        });
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(caught).toEqual([]);
      });

      test("a workflow that throws fails its run", async () => {
        const engine = await opened(() => Promise.reject(new Error("bug")));
        await reaches(engine, await engine.start(input("t")), "failed");
      });

      test("a result that is not JSON fails the step", async () => {
        const engine = await opened(async (run) => {
          await run.step("big", async () => 1n as unknown as JsonValue, { attempts: 1 });
        });
        await reaches(engine, await engine.start(input("t")), "failed");
      });

      test("steps run beside each other, and each is remembered when one of them is tried again", async () => {
        const calls: string[] = [];
        const engine = await opened(async (run) => {
          await Promise.all([
            run.step("slow", async () => {
              calls.push("slow");
              await delay(60);
              return null;
            }),
            run.step("flaky", async () => {
              if (calls.push("flaky") < 3) throw new Error("not yet");
              return null;
            }),
          ]);
        });
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(calls).toEqual(["slow", "flaky", "flaky"]);
      });

      test("a run of 300 steps does each once, in order", async () => {
        const done: number[] = [];
        const engine = await opened(async (run) => {
          for (let index = 0; index < 300; index += 1) {
            await run.step(`step-${index}`, async () => done.push(index));
            if (index === 150) await run.waitForInput("half", 0);
          }
        });
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(done).toEqual(Array.from({ length: 300 }, (_, index) => index));
      });
    });

    describe("waitForInput and signal", () => {
      const waiting = async (timeoutMs: number) => {
        const woken: number[] = [];
        const wokenAfter = (since: number): number => (woken[0] ?? Number.NaN) - since;
        const engine = await opened(async (run) => {
          await run.step("before", async () => null);
          await run.waitForInput("gate", timeoutMs);
          await run.step("after", async () => woken.push(performance.now()));
        });
        return { engine, woken, wokenAfter };
      };

      test("a signal of the task wakes its run", async () => {
        const { engine, wokenAfter } = await waiting(60_000);
        const id = await engine.start(input("t"));
        await reaches(engine, id, "waiting");
        const sent = performance.now();
        await engine.signal("t");
        await reaches(engine, id, "completed");
        expect(wokenAfter(sent)).toBeLessThan(400);
      });

      test("the time-out wakes it without a signal, and not before", async () => {
        const { engine, woken, wokenAfter } = await waiting(200);
        const started = performance.now();
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(woken).toHaveLength(1);
        expect(wokenAfter(started)).toBeGreaterThanOrEqual(195);
        expect(wokenAfter(started)).toBeLessThan(700);
      });

      test("a signal that comes before the wait is not kept, and the time-out still wakes", async () => {
        let slept = 0;
        const engine: PlanEngine = await opened(async (run) => {
          const from = await run.step("before", async () => {
            await engine.signal("t");
            return performance.now();
          });
          await run.waitForInput("gate", 300);
          slept = performance.now() - from;
        });
        await engine.signal("t");
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(slept).toBeGreaterThanOrEqual(295);
      });

      test("a signal that nobody waits for is no error", async () => {
        const engine = await opened(async () => undefined);
        await expect(engine.signal("unknown")).resolves.toBeUndefined();
      });

      test("a signal of another task wakes nobody", async () => {
        const { engine, woken } = await waiting(60_000);
        const id = await engine.start(input("t"));
        await reaches(engine, id, "waiting");
        await engine.signal("u");
        await delay(100);
        expect(woken).toEqual([]);
        expect(await engine.status(id)).toBe("waiting");
      });

      test("a signal wakes every waiting run of the task", async () => {
        const { engine } = await waiting(60_000);
        const ids = await Promise.all([engine.start(input("t", 1, 0)), engine.start(input("t", 1, 1))]);
        for (const id of ids) await reaches(engine, id, "waiting");
        await engine.signal("t");
        for (const id of ids) await reaches(engine, id, "completed");
      });

      test("a wake-up while a run begins to wait is not lost", async () => {
        const { engine } = await waiting(60_000);
        const ids = await Promise.all(
          Array.from({ length: 10 }, (_, index) => engine.start(input(`t${index}`))),
        );
        const deadline = performance.now() + 5_000;
        // Signals all the time: some come before the wait, some while it begins, some after.
        await Promise.all(
          ids.map(async (id, index) => {
            while (!(await ended(engine, id)) && performance.now() < deadline) {
              await engine.signal(`t${index}`);
              await delay(1);
            }
          }),
        );
        for (const id of ids) expect(await engine.status(id)).toBe("completed");
      });

      test("a wait in a loop is a new wait each time, also under one name", async () => {
        let inbox = 0;
        const started = performance.now();
        const engine = await opened(async (run) => {
          for (let turn = 0; ; turn += 1) {
            if ((await run.step(`read-${turn}`, async () => ++inbox)) === 3) return;
            await run.waitForInput("inbox", 20);
          }
        });
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(inbox).toBe(3);
        expect(performance.now() - started).toBeGreaterThanOrEqual(2 * 20);
      });

      test("a run that waits takes no place of those that could run", async () => {
        const engine = await opened(async (run) => {
          if (run.input.taskId.startsWith("sleeper")) await run.waitForInput("long", 60_000);
        });
        const sleepers = await Promise.all(
          Array.from({ length: 8 }, (_, index) => engine.start(input(`sleeper-${index}`))),
        );
        for (const id of sleepers) await reaches(engine, id, "waiting");
        await reaches(engine, await engine.start(input("awake")), "completed");
      });

      test("a step beside a wait is finished and remembered before the run sleeps", async () => {
        let calls = 0;
        const engine = await opened(async (run) => {
          await Promise.all([
            run.step("beside", async () => {
              calls += 1;
              await delay(50);
              return null;
            }),
            run.waitForInput("gate", 10),
          ]);
        });
        await reaches(engine, await engine.start(input("t")), "completed");
        expect(calls).toBe(1);
      });
    });

    describe("cancel", () => {
      test("in a step, it fires the signal, and no further step begins", async () => {
        const began = Promise.withResolvers<void>();
        const calls: string[] = [];
        const seen: { signal?: AbortSignal } = {};
        const over = Promise.withResolvers<void>();
        const engine = await opened(async (run) => {
          await run
            .step("long", async () => {
              seen.signal = run.signal;
              began.resolve();
              await aborted(run.signal);
              return null;
            })
            .catch(() => undefined);
          await run.step("next", async () => calls.push("next")).catch(() => undefined);
          over.resolve();
        });
        const id = await engine.start(input("t"));
        await began.promise;
        await engine.cancel(id);
        expect(seen.signal?.aborted).toBe(true); // at once, not when the lease is next renewed
        expect(await engine.status(id)).toBe("canceled");
        await over.promise;
        await delay(50);
        expect(calls).toEqual([]);
        expect(await engine.status(id)).toBe("canceled");
      });

      test("a step that throws because of it does not fail the run", async () => {
        const began = Promise.withResolvers<void>();
        const engine = await opened(async (run) => {
          await run.step("long", async () => {
            began.resolve();
            await delay(10_000, undefined, { signal: run.signal });
            return null;
          });
        });
        const id = await engine.start(input("t"));
        await began.promise;
        await engine.cancel(id);
        await delay(100);
        expect(await engine.status(id)).toBe("canceled");
      });

      test("a run that waits never wakes", async () => {
        let woken = 0;
        const engine = await opened(async (run) => {
          await run.waitForInput("gate", 100);
          woken += 1;
        });
        const id = await engine.start(input("t"));
        await reaches(engine, id, "waiting");
        await engine.cancel(id);
        await engine.signal("t");
        await delay(200);
        expect(await engine.status(id)).toBe("canceled");
        expect(woken).toBe(0);
      });

      test("a run that has not begun never begins", async () => {
        let calls = 0;
        const engine = harness.engine();
        const id = await engine.start(input("t"));
        await engine.cancel(id);
        await engine.open(async () => {
          calls += 1;
        });
        await delay(100);
        expect(await engine.status(id)).toBe("canceled");
        expect(calls).toBe(0);
      });

      test("a run that has ended, and one that is unknown, are left alone", async () => {
        const engine = await opened(async (run) => {
          if (run.input.taskId === "bad") throw new Error("bug");
        });
        const good = await engine.start(input("good"));
        const bad = await engine.start(input("bad"));
        await reaches(engine, good, "completed");
        await reaches(engine, bad, "failed");
        await engine.cancel(good);
        await engine.cancel(bad);
        await engine.cancel("unknown");
        expect(await engine.status(good)).toBe("completed");
        expect(await engine.status(bad)).toBe("failed");
        expect(await engine.status("unknown")).toBeUndefined();
      });

      test("a cancelled run stays ended when it is started again or its engine is replaced", async () => {
        const engine = harness.engine();
        const id = await engine.start(input("t"));
        await engine.cancel(id);
        expect(await engine.start(input("t"))).toBe(id);
        await engine.close();
        const next = await opened(async () => undefined);
        await delay(50);
        expect(await next.status(id)).toBe("canceled");
      });
    });

    describe("status", () => {
      test("tells a queued, a running, a sleeping and a finished run apart", async () => {
        const began = Promise.withResolvers<void>();
        const goOn = Promise.withResolvers<void>();
        const engine = harness.engine();
        const id = await engine.start(input("t"));
        const seen = [await engine.status(id)];
        await engine.open(async (run) => {
          await run.step("work", async () => {
            began.resolve();
            await goOn.promise;
            return null;
          });
          await run.waitForInput("gate", 60_000);
        });
        await began.promise;
        seen.push(await engine.status(id));
        goOn.resolve();
        await reaches(engine, id, "waiting");
        seen.push(await engine.status(id));
        await engine.signal("t");
        await reaches(engine, id, "completed");
        seen.push(await engine.status(id));
        expect(seen).toEqual(["waiting", "running", "waiting", "completed"]);
      });
    });

    describe("close", () => {
      const fiveSteps = (begun: string[], atStep: (name: string, run: PlanRun) => Promise<void>) => {
        return async (run: PlanRun): Promise<void> => {
          for (const step of STEPS) {
            await run.step(step, async () => {
              begun.push(step);
              await atStep(step, run);
              return { done: step };
            });
          }
        };
      };

      test("waits for the step in flight, begins no other, and the next engine goes on at once", async () => {
        const begun: string[] = [];
        const inThree = Promise.withResolvers<void>();
        const fired: boolean[] = [];
        const first = await opened(
          fiveSteps(begun, async (step, run) => {
            if (step !== "three") return;
            inThree.resolve();
            await aborted(run.signal);
            await delay(50);
            fired.push(run.signal.aborted);
          }),
        );
        const id = await first.start(input("t"));
        await inThree.promise;
        await first.close(5_000);
        expect(begun).toEqual(["one", "two", "three"]);
        expect(fired).toEqual([true]);

        const second = await opened(fiveSteps(begun, async () => undefined));
        const reopened = performance.now();
        await reaches(second, id, "completed");
        expect(begun).toEqual(STEPS);
        expect(performance.now() - reopened).toBeLessThan(1_500);
      });

      test("gives up on a step that does not listen, which is repeated by the next engine", async () => {
        const begun: string[] = [];
        const inThree = Promise.withResolvers<void>();
        const release = Promise.withResolvers<void>();
        const first = await opened(
          fiveSteps(begun, async (step) => {
            if (step !== "three") return;
            inThree.resolve();
            await release.promise;
          }),
        );
        const id = await first.start(input("t"));
        await inThree.promise;
        const closing = performance.now();
        await first.close(100);
        expect(performance.now() - closing).toBeLessThan(1_000);

        const second = await opened(fiveSteps(begun, async () => undefined));
        await reaches(second, id, "completed");
        release.resolve(); // the old step ends after the run; nobody minds
        await delay(20);
        expect(begun).toEqual(["one", "two", "three", "three", "four", "five"]);
        expect(await second.status(id)).toBe("completed");
      });

      test("a step that throws because of it is not counted as an attempt", async () => {
        let calls = 0;
        const inStep = Promise.withResolvers<void>();
        const workflow = async (run: PlanRun): Promise<void> => {
          await run.step(
            "only",
            async () => {
              calls += 1;
              if (calls === 2) throw new Error("a failure of its own");
              if (calls === 3) return null;
              inStep.resolve();
              await aborted(run.signal);
              throw new Error("interrupted");
            },
            { attempts: 2 },
          );
        };
        const first = await opened(workflow);
        const id = await first.start(input("t"));
        await inStep.promise;
        await first.close();
        const second = await opened(workflow);
        await reaches(second, id, "completed");
        expect(calls).toBe(3);
      });

      test("a workflow that returns because of it has not completed its run", async () => {
        const inStep = Promise.withResolvers<void>();
        let passes = 0;
        const workflow = async (run: PlanRun): Promise<void> => {
          passes += 1;
          if (passes > 1) return;
          inStep.resolve();
          await aborted(run.signal);
        };
        const first = await opened(workflow);
        const id = await first.start(input("t"));
        await inStep.promise;
        await first.close();
        const second = await opened(workflow);
        await reaches(second, id, "completed");
        expect(passes).toBe(2);
      });

      test("leaves the sleeping asleep, and they wake in the next engine", async () => {
        const workflow = async (run: PlanRun): Promise<void> => run.waitForInput("gate", 60_000);
        const first = await opened(workflow);
        const id = await first.start(input("t"));
        await reaches(first, id, "waiting");
        await first.close();
        const second = await opened(workflow);
        expect(await second.status(id)).toBe("waiting");
        await second.signal("t");
        await reaches(second, id, "completed");
      });

      test("twice, or without having been opened, is no error", async () => {
        const unopened = harness.engine();
        await unopened.close();
        await unopened.close();
        const engine = await opened(async () => undefined);
        await Promise.all([engine.close(), engine.close()]);
      });
    });

    describe("takeover", () => {
      test("a run goes on from the last finished step after its process died", async () => {
        const { runId, begun } = await harness.dieInStepThree(input("t"));
        expect(begun).toEqual(["one", "two", "three"]);
        const again: string[] = [];
        const results: JsonValue[] = [];
        const engine = await opened(async (run) => {
          for (const step of STEPS) {
            results.push(
              await run.step(step, async () => {
                again.push(step);
                return { done: step };
              }),
            );
          }
        });
        const reopened = performance.now();
        await reaches(engine, runId, "completed");
        expect(performance.now() - reopened).toBeLessThan(1_500);
        expect(again).toEqual(["three", "four", "five"]);
        expect(results).toEqual(STEPS.map((done) => ({ done })));
      });

      test("at most one worker runs a run at a time", async () => {
        const active = new Map<string, number>();
        const calls: string[] = [];
        let overlaps = 0;
        const workflow = async (run: PlanRun): Promise<void> => {
          for (const step of ["a", "b", "c"]) {
            await run.step(step, async () => {
              const now = (active.get(run.runId) ?? 0) + 1;
              if (now > 1) overlaps += 1;
              active.set(run.runId, now);
              calls.push(`${run.runId} ${step}`);
              await delay(5);
              active.set(run.runId, now - 1);
              return null;
            });
          }
        };
        const [one, two] = [await opened(workflow), await opened(workflow)];
        const ids = await Promise.all(
          Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).start(input(`t${index}`))),
        );
        for (const id of ids) await reaches(one, id, "completed");
        expect(overlaps).toBe(0);
        expect(new Set(calls).size).toBe(calls.length);
        expect(calls).toHaveLength(60);
      });

      test("a worker that lost its run has its signal fired and records nothing more", async () => {
        const began = Promise.withResolvers<void>();
        const lost = Promise.withResolvers<void>();
        const calls: string[] = [];
        const engine = await opened(async (run) => {
          await run.step("first", async () => calls.push("first"));
          await run.step("second", async () => {
            if (calls.push("second") > 2) return null;
            began.resolve();
            await aborted(run.signal);
            lost.resolve();
            return null;
          });
          await run.step("third", async () => calls.push("third"));
        });
        const id = await engine.start(input("t"));
        await began.promise;
        await harness.takeAway(id, 1_500);
        await lost.promise;
        await delay(50);
        expect(calls).toEqual(["first", "second"]);
        expect(await engine.status(id)).toBe("running"); // elsewhere
        await reaches(engine, id, "completed");
        expect(calls).toEqual(["first", "second", "second", "third"]);
      });
    });

    test("fifty runs are worked off four at a time", async () => {
      let active = 0;
      let most = 0;
      const started = performance.now();
      const calls: string[] = [];
      const engine = await opened(async (run) => {
        for (const step of ["a", "b", "c"]) {
          await run.step(step, async () => {
            active += 1;
            most = Math.max(most, active);
            calls.push(`${run.runId} ${step}`);
            await delay(2);
            active -= 1;
            return null;
          });
        }
      });
      const ids = await Promise.all(
        Array.from({ length: 50 }, (_, index) => engine.start(input(`t${index}`))),
      );
      for (const id of ids) await reaches(engine, id, "completed");
      expect(calls).toHaveLength(150);
      expect(new Set(calls).size).toBe(150);
      expect(most).toBe(4);
      expect(performance.now() - started).toBeLessThan(10_000);
    });
  });
}

async function ended(engine: PlanEngine, runId: string): Promise<boolean> {
  const status = await engine.status(runId);
  return status === "completed" || status === "failed" || status === "canceled";
}

/** Waits for a status; for a final one it stops at the first that is final, so that a wrong end shows at once. */
async function reaches(engine: PlanEngine, runId: string, wanted: PlanRunStatus): Promise<void> {
  const deadline = performance.now() + 15_000;
  let seen = await engine.status(runId);
  // A run that was just queued is "waiting" as well: give it the time to begin.
  if (wanted === "waiting") {
    await delay(60);
    seen = await engine.status(runId);
  }
  while (seen !== wanted && performance.now() < deadline && !(await ended(engine, runId))) {
    await delay(3);
    seen = await engine.status(runId);
  }
  expect(await engine.status(runId)).toBe(wanted);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
