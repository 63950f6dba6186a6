import { expect, test } from "vitest";
import { accountId, openedAccount, raisedAccount, withCharge } from "./account.ts";
import { breachOf, NOTHING_SPENT, reserve, settle, tightest } from "./budget.ts";
import { breachIn, newGuarding } from "./guarding.ts";

test("a limit of 0 lets nothing through, no limit everything, and what reaches a limit is the last", () => {
  expect(breachOf({ tool_calls: 0 }, NOTHING_SPENT, "a", { tool_calls: 1 })).toEqual({
    kind: "tool_calls",
    limit: 0,
    used: 0,
  });
  expect(breachOf({}, NOTHING_SPENT, "a", { tool_calls: 1_000_000 })).toBeUndefined();
  const used = reserve(NOTHING_SPENT, "a", { tool_calls: 2 });
  expect(breachOf({ tool_calls: 3 }, used, "b", { tool_calls: 1 })).toBeUndefined();
  expect(breachOf({ tool_calls: 2 }, used, "b", { tool_calls: 1 })).toMatchObject({ used: 2 });
});

test("a call is charged once, and settled with what it has really cost", () => {
  const once = reserve(reserve(NOTHING_SPENT, "a", { cost_usd: 0.3 }), "a", { cost_usd: 0.3 });
  expect(once.used).toEqual({ cost_usd: 0.3 });
  expect(settle(once, "a", { cost_usd: 0.1 }).used).toEqual({ cost_usd: 0.1 });
});

test("who comes later tightens and never loosens", () => {
  expect(tightest({ tokens: 5 }, undefined, { tokens: 9, seconds: 1 })).toEqual({ tokens: 5, seconds: 1 });
});

test("a budget that is shared holds a call back before the plan's own does, and says which one it is", () => {
  const account = withCharge(
    openedAccount({ id: "session:s", of: "session", name: "s", limits: { tool_calls: 4 } }),
    {
      tool_calls: 4,
    },
  );
  expect(account.short).toEqual([{ kind: "tool_calls", limit: 4, used: 4 }]);
  const shared = [{ id: "session:s", of: "session" as const, name: "s", ...account.account }];
  const guarding = { ...newGuarding({ tool_calls: 100 }), shared };
  expect(breachIn(guarding, "a", { tool_calls: 1 })).toMatchObject({ account: "session:s", limit: 4 });
  const more = raisedAccount(account.account, "tool_calls", 5);
  expect(more).toMatchObject({ limits: { tool_calls: 5 }, used: { tool_calls: 4 }, warned: [] });
});

test("an account of a day has another id the next day", () => {
  const ref = { id: "namespace:local", daily: true };
  expect(accountId(ref, Date.UTC(2026, 0, 31, 23, 59))).toBe("namespace:local:2026-01-31");
  expect(accountId(ref, Date.UTC(2026, 1, 1))).toBe("namespace:local:2026-02-01");
});
