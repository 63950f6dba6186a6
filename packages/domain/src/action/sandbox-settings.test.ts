import { expect, test } from "vitest";
import { ScriptStepSchema } from "../script/script-schema.ts";
import { SandboxSettingsSchema, withSandboxSettings } from "./sandbox-settings.ts";

const step = (run: object) => ScriptStepSchema.parse({ run: { command: "x", ...run } });
const valueWith = (run: object, settings: object) =>
  withSandboxSettings([step(run)], SandboxSettingsSchema.parse(settings))[0]?.value;

test("what an action says of its sandbox counts for steps that say nothing", () => {
  const settings = { network: true, limits: { memory: 512, cpu: 5 }, dependencies: ["node_modules"] };
  expect(valueWith({}, settings)).toMatchObject({ command: "x", timeout: 300, ...settings });
});

test("what a step says itself stands over it, limit by limit", () => {
  const settings = { network: true, limits: { memory: 512, cpu: 5 }, dependencies: ["node_modules"] };
  expect(valueWith({ network: false, limits: { memory: 64 }, dependencies: [] }, settings)).toMatchObject({
    network: false,
    limits: { memory: 64, cpu: 5 },
    dependencies: [],
  });
});

test("without settings, and in steps that run nothing, nothing changes", () => {
  const say = ScriptStepSchema.parse({ say: { text: "x" } });
  expect(withSandboxSettings([step({}), say], undefined)).toEqual([step({}), say]);
  expect(withSandboxSettings([say], { network: true })).toEqual([say]);
});

test("no level is demanded that is none, and no setting is taken that nobody knows", () => {
  expect(SandboxSettingsSchema.safeParse({ isolation: "none" }).success).toBe(false);
  expect(SandboxSettingsSchema.safeParse({ netwrok: true }).success).toBe(false);
});
