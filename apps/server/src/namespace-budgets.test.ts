import { expect, test } from "vitest";
import { namespaceBudgets } from "./namespace-budgets.ts";

test("budgets of namespaces are read, several of them and several kinds", () => {
  expect(namespaceBudgets(" local:tool_calls=500, cost_usd=0.5; team:seconds=60 ")).toEqual({
    local: { tool_calls: 500, cost_usd: 0.5 },
    team: { seconds: 60 },
  });
  expect(namespaceBudgets("")).toBeUndefined();
});

test.each(["local", "local:calls=5", "local:tool_calls", ":tool_calls=1", "lo cal:tokens=1"])(
  "%s is no budget of a namespace, and that is said",
  (text) => {
    expect(() => namespaceBudgets(text)).toThrow("CLEVERAGENTS_NAMESPACE_BUDGETS");
  },
);
