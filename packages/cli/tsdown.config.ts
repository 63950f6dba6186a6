import { defineConfig } from "tsdown";

// The command in one file, so that starting it walks no node_modules. Types come from tsc.
export default defineConfig({
  entry: { main: "src/main.ts" },
  format: "esm",
  platform: "node",
  target: "node22.18",
  dts: false,
  clean: false,
  minify: { compress: true, mangle: false, codegen: true },
  sourcemap: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  inputOptions: { resolve: { conditionNames: ["@cleveragents/source", "import", "node", "default"] } },
  outputOptions: { chunkFileNames: "chunks/[name].mjs" },
});
