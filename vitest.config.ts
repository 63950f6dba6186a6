import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Every workspace package is one project. A package has its unit tests beside the sources, the rest in test/. */
const packages = ["packages", "apps", "tests"]
  .flatMap((group) => readdirSync(new URL(group, import.meta.url)).map((name) => `${group}/${name}`))
  .concat("bench")
  .filter((dir) => existsSync(new URL(`${dir}/package.json`, import.meta.url)));

// Soak files run alone, with SOAK=1: they take minutes to hours.
const suffix = process.env["SOAK"] === "1" ? "soak" : "test";

// Workspace packages resolve to their sources, in every project: directory projects would not inherit it.
const conditions = ["@cleveragents/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: suffix === "soak" ? 3_600_000 : 20_000,
    hookTimeout: 30_000,
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
