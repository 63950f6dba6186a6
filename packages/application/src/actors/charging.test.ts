import { newGuarding, type Plan } from "@cleveragents/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { charge, settleCharge } from "./charging.ts";

const planWith = (limits: Parameters<typeof newGuarding>[0]) => ({ guarding: newGuarding(limits) }) as Plan;
const usedOf = (plan: Plan) => plan.guarding?.spending.used ?? {};

describe("a request to a model", () => {
  test("is charged with all that it can cost, and settled with what it has cost", () => {
    const charged = charge(planWith({ tokens: 1000 }), "c", 200, 300, { input: 1, output: 2 });
    if ("breach" in charged) throw new Error("it fits");
    expect(usedOf(charged.plan)).toEqual({ tokens: 500, cost_usd: 0.0008 });
    const settled = settleCharge(charged.plan, "c", { tokens: 210, cost_usd: 0.0003 });
    expect(usedOf(settled.plan)).toEqual({ tokens: 210, cost_usd: 0.0003 });
  });

  test("may have an answer as long as what is left, in tokens and in money", () => {
    const byTokens = charge(planWith({ tokens: 400 }), "c", 200, 300, undefined);
    expect(byTokens).toMatchObject({ maxTokens: 200 });
    const byMoney = charge(planWith({ cost_usd: 0.001 }), "c", 200, 900, { input: 1, output: 8 });
    expect(byMoney).toMatchObject({ maxTokens: 100 });
  });

  test("is not sent when the budget does not let it have a sensible answer", () => {
    expect(charge(planWith({ tokens: 250 }), "c", 200, 300, undefined)).toMatchObject({
      breach: { kind: "tokens", limit: 250, used: 0 },
    });
  });

  test("never takes a plan over its budget, whatever came before it", () => {
    const request = fc.record({
      input: fc.nat(500),
      wanted: fc.integer({ min: 64, max: 500 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.nat(3000), fc.array(request, { maxLength: 20 }), (limit, requests) => {
        let plan = planWith({ tokens: limit });
        for (const [n, { input, wanted, share }] of requests.entries()) {
          const charged = charge(plan, `c${n}`, input, wanted, undefined);
          if ("breach" in charged) continue;
          plan = settleCharge(charged.plan, `c${n}`, {
            tokens: input + Math.floor(charged.maxTokens * share),
          }).plan;
        }
        expect(usedOf(plan).tokens ?? 0).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
