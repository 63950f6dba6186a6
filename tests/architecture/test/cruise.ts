import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface Violation {
  from: string;
  to: string;
  rule: { name: string };
  cycle?: { name: string }[];
}

export interface Cruise {
  violations: Violation[];
  /** Path of every module that was read or reached. */
  modules: string[];
}

/** Runs dependency-cruiser in a workspace folder, with the rules that lie in that folder. */
export async function cruise(workspace: string, folders: string[]): Promise<Cruise> {
  const program = path.join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const args = [program, "--config", ".dependency-cruiser.cjs", "--output-type", "json", ...folders];
  const json = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: workspace, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      // Violations make it exit non-zero too; without a report it did not run.
      if (stdout.startsWith("{")) resolve(stdout);
      else reject(error ?? new Error(`dependency-cruiser printed no report: ${stderr}`));
    });
  });
  const report = JSON.parse(json) as {
    summary: { violations: Violation[] };
    modules: { source: string }[];
  };
  return { violations: report.summary.violations, modules: report.modules.map((module) => module.source) };
}
