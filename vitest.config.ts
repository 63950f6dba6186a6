import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Every workspace package is one project. A package has its unit tests beside the sources, the rest in test/. */
const packages = ["packages", "apps", "tests"]
  .flatMap((group) => readdirSync(new URL(group, import.meta.url)).map((name) => `${group}/${name}`))
  .concat("bench")
  .filter((dir) => existsSync(new URL(`${dir}/package.json`, import.meta.url)));

// Soak files run alone, with SOAK=1: they take minutes to hours.
const suffix = process.env["SOAK"] === "1" ? "soak" : "test";

// Each worker, and each process that a test starts, loads what others have compiled.
const compileCache = fileURLToPath(new URL("node_modules/.cache/node-compile", import.meta.url));

// Workspace packages resolve to their sources, in every project: directory projects would not inherit it.
const conditions = ["@cleveragents/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: suffix === "soak" ? 3_600_000 : 60_000,
    hookTimeout: 60_000,
    env: { NODE_COMPILE_CACHE: compileCache },
    // What is awaited comes late on a machine that is busy with other tests.
    expect: { poll: { timeout: 20_000 } },
    // No module keeps state, so files can share a worker: starting one per file costs more than most files take.
    isolate: false,
    // Most time goes into waiting for git and other child processes, which a worker per core would not fill.
    maxWorkers: availableParallelism() + 2,
    passWithNoTests: suffix === "soak",
    reporters: ["default", "./scripts/summary-reporter.mjs"],
    projects: packages.map((dir) => ({
      extends: true as const,
      test: { name: dir, root: dir, include: [`{src,test}/**/*.${suffix}.ts`] },
    })),
    coverage: {
      provider: "v8",
      include: ["**/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-d.ts", "**/*.soak.ts"],
      reporter: ["text-summary", "lcov"],
    },
  },
});
