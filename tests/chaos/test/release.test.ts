import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FAIL_POINTS } from "@cleveragents/application";
import { expect, test } from "vitest";
import { server } from "./programs.ts";

/** What `npm run build` has made, as every test of a whole program takes it. */
const RELEASE = fileURLToPath(new URL("../../../apps/server/dist", import.meta.url));

function textOf(directory: string): string {
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
  const release = textOf(RELEASE);
  expect(release).toContain("CLEVERAGENTS_DATA_DIR");
  expect(TRACES.filter((trace) => release.includes(trace))).toEqual([]);
  const [program = ""] = (await server()).args;
  const built = textOf(dirname(program));
  expect(Object.keys(FAIL_POINTS).filter((name) => !built.includes(`"${name}"`))).toEqual([]);
});
