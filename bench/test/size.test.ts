import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "tsdown";
import { expect, test } from "vitest";

test("the client for browsers is under 40 kB, and asks nothing of Node", async () => {
  const outDir = mkdtempSync(join(tmpdir(), "cleveragents-size-"));
  try {
    await build({
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      config: false,
      entry: { client: "src/browser-entry.ts" },
      outDir,
      format: "esm",
      platform: "browser",
      target: "es2022",
      dts: false,
      clean: false,
      minify: true,
      logLevel: "silent",
      deps: { alwaysBundle: [/^(?!node:)/], onlyBundle: false },
      inputOptions: { resolve: { conditionNames: ["@cleveragents/source", "browser", "import", "default"] } },
    });
    const text = readFileSync(join(outDir, "client.js"), "utf8");
    expect(text).not.toMatch(/\bfrom\s*["']|\bimport\s*["'(]|\brequire\s*\(/);
    expect(gzipSync(text).length).toBeLessThan(40_000);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}, 60_000);
