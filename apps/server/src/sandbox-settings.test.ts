import { expect, test } from "vitest";
import { sandboxSettings } from "./sandbox-settings.ts";

test("unless said otherwise the disk is the limit, and nothing is kept of what is over", () => {
  expect(sandboxSettings({})).toEqual({ quotaBytes: undefined, keepMs: 0 });
});

test("quota and time are read in megabytes and hours", () => {
  const env = { CLEVERAGENTS_SANDBOX_QUOTA_MB: "1500", CLEVERAGENTS_SANDBOX_KEEP_HOURS: "0.5" };
  expect(sandboxSettings(env)).toEqual({ quotaBytes: 1_500_000_000, keepMs: 1_800_000 });
});

test.each(["-1", "10GB", "NaN", "1e99"])("%s is no quota", (text) => {
  expect(() => sandboxSettings({ CLEVERAGENTS_SANDBOX_QUOTA_MB: text })).toThrow(
    `CLEVERAGENTS_SANDBOX_QUOTA_MB is "${text}": use a number of megabytes`,
  );
});
