import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Program } from "@cleveragents/testing/chaos";
import { build } from "tsdown";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const builds = new Map<string, Promise<Program>>();

/**
 * The server from its sources, with fail points, in one piece: it starts in a quarter of the time that the sources
 * take. The build of a release is the same but for what it defines.
 */
export function server(): Promise<Program> {
  return built("apps/server");
}

export function agents(): Promise<Program> {
  return built("packages/cli");
}

/** What a build that is no release defines: the name stays as unknown as it is in the sources. */
const TEST_BUILD = { __CLEVERAGENTS_RELEASE__: "undefined" };

function built(home: string): Promise<Program> {
  let program = builds.get(home);
  if (program === undefined) {
    program = bundle(home, TEST_BUILD).then((directory) => ({
      command: process.execPath,
      args: [join(directory, "main.mjs")],
      compileCache: join(directory, "compile-cache"),
    }));
    builds.set(home, program);
  }
  return program;
}

/** Builds a program as its package does, elsewhere. The directory goes with this process. */
async function bundle(home: string, define: Record<string, string>): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), "cleveragents-built-"));
  process.once("exit", () => rmSync(outDir, { recursive: true, force: true }));
  await build({ cwd: join(root, home), outDir, logLevel: "silent", define });
  return outDir;
}
