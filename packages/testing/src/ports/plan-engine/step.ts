import { setTimeout as delay } from "node:timers/promises";
import type { JsonValue } from "@cleveragents/domain";
import { describe, expect, test } from "vitest";
import { input, type PlanEngineContext } from "./harness.ts";
import { reaches } from "./waiting.ts";

export function stepSuite(context: PlanEngineContext): void {
  describe("step", () => {
    test("results are remembered as JSON, and finished steps are not repeated", async () => {
      const values: JsonValue[] = [null, true, 0, "", "text", [1, [2, null]], { a: { b: ["c"] } }];
      const calls: number[] = [];
      const passes: JsonValue[][] = [];
      const engine = await context.opened(async (run) => {
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
      const engine = await context.opened(async (run) => {
        results.push(await run.step("count", async () => ++calls));
        results.push(await run.step("count", async () => ++calls));
      });
      await reaches(engine, await engine.start(input("t")), "completed");
      expect(results).toEqual([1, 1]);
    });

    test("a throw is tried again until it succeeds", async () => {
      let calls = 0;
      const engine = await context.opened(async (run) => {
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
      const engine = await context.opened(async (run) => {
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
      const engine = await context.opened(async (run) => {
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
      const engine = await context.opened(async (run) => {
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
      const engine = await context.opened(async (run) => {
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
      const engine = await context.opened(async (run) => {
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
      const engine = await context.opened(() => Promise.reject(new Error("bug")));
      await reaches(engine, await engine.start(input("t")), "failed");
    });

    test("a result that is not JSON fails the step", async () => {
      const engine = await context.opened(async (run) => {
        await run.step("big", async () => 1n as unknown as JsonValue, { attempts: 1 });
      });
      await reaches(engine, await engine.start(input("t")), "failed");
    });

    test("steps run beside each other, and each is remembered when one of them is tried again", async () => {
      const calls: string[] = [];
      const engine = await context.opened(async (run) => {
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
      expect(calls.toSorted()).toEqual(["flaky", "flaky", "slow"]);
    });

    test("a run of 300 steps does each once, in order", async () => {
      const done: number[] = [];
      const engine = await context.opened(async (run) => {
        for (let index = 0; index < 300; index += 1) {
          await run.step(`step-${index}`, async () => done.push(index));
          if (index === 150) await run.waitForInput("half", 0);
        }
      });
      await reaches(engine, await engine.start(input("t")), "completed");
      expect(done).toEqual(Array.from({ length: 300 }, (_, index) => index));
    });
  });
}
