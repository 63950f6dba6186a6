import { statfs } from "node:fs/promises";
import type { HealthCheck } from "@cleveragents/application";

const GIGABYTE = 1_000_000_000;
/** Below this a plan of a middling project may not find room. */
const SHORT = 2 * GIGABYTE;
const FEW_FILES = 50_000;

export function diskCheck(dataDir: string): HealthCheck {
  return {
    id: "disk",
    required: true,
    remediation: "free some space: agents sandbox list, agents sandbox gc",
    run: async () => {
      const { bavail, bsize, ffree, files } = await statfs(dataDir);
      const free = bavail * bsize;
      const summary = `${(free / GIGABYTE).toFixed(1)} GB free for the data directory`;
      // Some file systems count no files.
      const few = files > 0 && ffree < FEW_FILES ? `, room for ${ffree} more files` : "";
      return free < SHORT || few !== "" ? { lacking: `${summary}${few}` } : summary;
    },
  };
}
