import { defineConfig } from "tsdown";

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
  deps: { alwaysBundle: [/./], onlyBundle: false },
  inputOptions: { resolve: { conditionNames: ["@cleveragents/source", "import", "node", "default"] } },
  outputOptions: { chunkFileNames: "chunks/[name].mjs" },
});
