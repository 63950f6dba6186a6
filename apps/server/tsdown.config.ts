import { defineConfig } from "tsdown";
import { plainBuiltins } from "../../scripts/plain-builtins.mjs";

// The server in one file, and a chunk for each part that only some modes load. Types come from tsc.
export default defineConfig({
  entry: { main: "src/main.ts" },
  format: "esm",
  platform: "node",
  target: "node22.18",
  dts: false,
  clean: false,
  minify: false,
  sourcemap: false,
  // Folds fail points away; `test/fail-points.test.ts` looks for what is left of them.
  define: { __CLEVERAGENTS_RELEASE__: "true" },
  plugins: [plainBuiltins()],
  deps: { alwaysBundle: [/./], onlyBundle: false },
  // Whether something is imported or required adds its own condition: naming one here would hold for both.
  inputOptions: { resolve: { conditionNames: ["@cleveragents/source", "node", "default"] } },
  outputOptions: { chunkFileNames: "chunks/[name].mjs" },
});
