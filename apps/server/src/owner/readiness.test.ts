import { expect, test } from "vitest";
import { readinessOf } from "./readiness.ts";

test("an agent whose store does not answer is not ready, says which check it is, and why in the log alone", async () => {
  const logged: unknown[] = [];
  const logger = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => void logged.push(line) };
  const check = () => Promise.reject(new Error("db:5432/agents: the database does not answer"));
  expect(await readinessOf({ check }, logger)).toEqual({ ready: false, checks: { store: "failing" } });
  expect(JSON.stringify(logged)).toContain("db:5432/agents");
});
