import { defineConfig } from "tsdown";
import { plainBuiltins } from "../../scripts/plain-builtins.mjs";

const START =
  /cli\/src\/(command\/(?!help)|command-rows\/|command-table|run\.|exit-codes|cli-error|output\/paint)/;
const CALL = new RegExp(
  [
    "cli/src/config/(load-config|config-error|keys)",
    "cli/src/connect/(open-client|transport-selector|server-command|start-owner)",
    "cli/src/output/(output|clean|table|width|words)",
    "cli/src/plan/(resolve|outcome|status|step|children)",
    "transport-stdio/src/(client|socket)",
    "protocol/src/(client|envelope|framing|cursor|errors/remote)",
  ].join("|"),
);

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
  plugins: [plainBuiltins()],
  deps: { alwaysBundle: [/./], onlyBundle: false },
  inputOptions: {
    resolve: { conditionNames: ["@cleveragents/source", "import", "node", "default"] },
    preserveEntrySignatures: false,
  },
  outputOptions: {
    chunkFileNames: "chunks/[name].mjs",
    // What each start needs, and what each call, is a file of its own: following an import costs more than what is behind it.
    codeSplitting: {
      groups: [
        { name: "start", test: START, priority: 2 },
        { name: "call", test: CALL, includeDependenciesRecursively: false, priority: 1 },
      ],
    },
  },
});
