import { expect, test } from "vitest";
import { sandboxSettings } from "./sandbox-settings.ts";

test("unless said otherwise the disk is the limit, and work that was not applied stays for two weeks", () => {
  expect(sandboxSettings({})).toMatchObject({ quotaBytes: undefined, keepMs: 14 * 24 * 3_600_000 });
});

test("quota and time are read in megabytes and hours", () => {
  const env = { CLEVERAGENTS_SANDBOX_QUOTA_MB: "1500", CLEVERAGENTS_SANDBOX_KEEP_HOURS: "0.5" };
  expect(sandboxSettings(env)).toMatchObject({ quotaBytes: 1_500_000_000, keepMs: 1_800_000 });
  expect(sandboxSettings({ CLEVERAGENTS_SANDBOX_KEEP_HOURS: "0" }).keepMs).toBe(0);
});

test.each(["-1", "10GB", "NaN", "1e99"])("%s is no quota", (text) => {
  expect(() => sandboxSettings({ CLEVERAGENTS_SANDBOX_QUOTA_MB: text })).toThrow(
    `CLEVERAGENTS_SANDBOX_QUOTA_MB is "${text}": use a number of megabytes`,
  );
});

test("copies of dependencies and long outputs have quotas of their own", () => {
  expect(sandboxSettings({})).toMatchObject({ dependencyBytes: 2_000_000_000, outputBytes: 1_000_000_000 });
  const env = { CLEVERAGENTS_DEPENDENCY_COPY_MB: "5", CLEVERAGENTS_OUTPUT_QUOTA_MB: "0" };
  expect(sandboxSettings(env)).toMatchObject({ dependencyBytes: 5_000_000, outputBytes: 0 });
  expect(() => sandboxSettings({ CLEVERAGENTS_OUTPUT_QUOTA_MB: "much" })).toThrow(
    "CLEVERAGENTS_OUTPUT_QUOTA_MB",
  );
});
