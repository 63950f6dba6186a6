import { appendFileSync } from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import type { FailPoint } from "@cleveragents/application";
import { type Config, ConfigError, readConfig, USAGE } from "./config.ts";
import { PRODUCT_VERSION } from "./version.ts";

/** Set by the build of a release. Asked for by its own name, so that what it guards is not even bundled. */
declare const __CLEVERAGENTS_RELEASE__: boolean | undefined;

/** What an operator should read of an error: a message, a hint where there is one, never a stack unless asked for. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = "hint" in error && typeof error.hint === "string" ? `\nhint: ${error.hint}` : "";
  return `${error.message}${hint}`;
}

async function main(): Promise<number> {
  let config: Config;
  try {
    config = readConfig(process.argv.slice(2), process.env, process.cwd(), homedir());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`error: ${error.message}\nhint: cleveragents-server --help\n`);
    return 2;
  }
  if (config.mode === "help") {
    process.stdout.write(USAGE);
    return 0;
  }
  if (config.mode === "version") {
    process.stdout.write(`${PRODUCT_VERSION}\n`);
    return 0;
  }
  const env = process.env;
  if (config.mode === "stdio") {
    const { stdio } = await import("./commands/stdio.ts");
    await stdio({ config, env, program: fileURLToPath(import.meta.url) });
    return 0;
  }
  if (config.mode === "demo") {
    const { writeDemo } = await import("./demo/write-demo.ts");
    const demo = await writeDemo(config.demoDir ?? ".", env);
    process.stdout.write(`${JSON.stringify(demo)}\n`);
    return 0;
  }
  const { createPinoLogger } = await import("@cleveragents/infrastructure/telemetry");
  let failPoint: FailPoint | undefined;
  if (typeof __CLEVERAGENTS_RELEASE__ === "undefined") {
    const { failPointFrom } = await import("./fail-point-from.ts");
    failPoint = failPointFrom(env, {
      signalSelf: (signal) => void process.kill(process.pid, signal),
      append: appendFileSync,
    });
  }
  const identity = { env, pid: process.pid, uid: process.getuid?.() ?? 0, failPoint };
  if (config.mode === "owner") {
    const { own } = await import("./commands/owner.ts");
    await own({ config, logger: createPinoLogger({ level: config.logLevel, destination: 2 }), ...identity });
    return 0;
  }
  const { start } = await import("./commands/start.ts");
  await start({
    config,
    cwd: process.cwd(),
    logger: createPinoLogger({ level: config.logLevel, destination: 2 }),
    say: (line) => void process.stdout.write(`${line}\n`),
    ...identity,
  });
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`error: ${explain(error)}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
