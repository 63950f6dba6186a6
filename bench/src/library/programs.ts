import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Child, startProgram } from "./child.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The programs as the build leaves them. */
export const AGENTS = join(root, "packages/cli/bin/agents.mjs");
const SERVER = join(root, "apps/server/bin/cleveragents-server.mjs");

/** An environment in which nothing of the user's own is found. */
export function environmentIn(home: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: home,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    CLEVERAGENTS_DATA_DIR: join(home, "data"),
  };
}

/** Runs a Node program to its end; milliseconds. Throws what it said if it fails. */
export function timeProgram(args: readonly string[], home: string): number {
  const began = performance.now();
  runNode(args, home);
  return performance.now() - began;
}

export function runNode(args: readonly string[], home: string): string {
  const ran = spawnSync(process.execPath, [...args], {
    cwd: home,
    env: environmentIn(home),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (ran.status !== 0) throw new Error(`node ${args.join(" ")} failed: ${ran.error?.message ?? ran.stderr}`);
  return ran.stdout;
}

/** The server, in a mode that keeps running, with a probe that answers what it uses. */
export function startServer(mode: "owner" | "start", home: string): Promise<Child> {
  const args = mode === "owner" ? ["owner", "--idle-seconds", "3600"] : ["start", "--port", "0", "--no-auth"];
  const probe = new URL("../probe.ts", import.meta.url).href;
  return startProgram({
    program: SERVER,
    args,
    execArgv: ["--expose-gc", "--import", probe],
    env: environmentIn(home),
    cwd: home,
    ...(mode === "owner"
      ? { isReady: () => ownerIn(home) !== undefined }
      : { readyLine: /is ready at (\S+)/ }),
  });
}

/** The process that owns the data directory, as its discovery file says. */
export function ownerIn(home: string): number | undefined {
  const file = join(home, "data", "owner.json");
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid;
}
