import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FAIL_POINTS } from "@cleveragents/application";
import { expect, test } from "vitest";
import { bundle, TEST_BUILD } from "./programs.ts";

async function textOf(define?: Record<string, string>): Promise<string> {
  const directory = await bundle("apps/server", define);
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".mjs"))
    .map((name) => readFileSync(join(directory, name), "utf8"))
    .join("\n");
}

/** Names, sentences and variables; the ports' own way through constructors is no trace that anybody could use. */
const TRACES = [
  ...Object.entries(FAIL_POINTS).flat(),
  "CLEVERAGENTS_FAIL_POINT",
  "__CLEVERAGENTS_RELEASE__",
  "WITH_FAIL_POINTS",
];

test("a release has no trace of fail points, which a test build has", { timeout: 120_000 }, async () => {
  const release = await textOf();
  expect(release).toContain("CLEVERAGENTS_DATA_DIR");
  expect(TRACES.filter((trace) => release.includes(trace))).toEqual([]);
  const built = await textOf(TEST_BUILD);
  expect(Object.keys(FAIL_POINTS).filter((name) => !built.includes(`"${name}"`))).toEqual([]);
});
