import { spawn } from "node:child_process";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../config.ts";

/**
 * Starts an owner that outlives this process: a group of its own, no inherited streams, its log in the data
 * directory. Returns at once; it may find that another owner was faster and leave.
 */
export async function startOwnerProcess(dataDir: string, env: Environment, program: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const log = await open(join(dataDir, "owner.log"), "a", 0o600);
  try {
    const child = spawn(process.execPath, [program, "owner", "--data-dir", dataDir], {
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      env: { ...env },
      cwd: dataDir,
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    child.unref();
  } finally {
    await log.close();
  }
}
