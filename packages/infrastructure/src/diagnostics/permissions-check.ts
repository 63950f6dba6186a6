import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { HealthCheck } from "@cleveragents/application";

const OTHERS = 0o077;
/** What holds credentials, or what users have said. */
const PRIVATE = /^(owner\.json|providers\.yaml|store\.db|engine\.db)$/;

/** Whether the data directory can be written, and whether others can look into it. */
export function permissionsCheck(dataDir: string, uid: number | undefined): HealthCheck {
  return {
    id: "permissions",
    required: true,
    remediation: "make the data directory yours alone: chmod 700, and chmod 600 what is named",
    run: async () => {
      await rm(await mkdtemp(join(dataDir, ".try-")), { recursive: true });
      const folder = await stat(dataDir);
      const problems: string[] = [];
      if (uid !== undefined && folder.uid !== uid) problems.push("the data directory is another user's");
      // Where others cannot enter, modes of files do not matter.
      if ((folder.mode & OTHERS) !== 0) {
        problems.push("others may enter the data directory");
        for (const name of (await readdir(dataDir)).filter((one) => PRIVATE.test(one))) {
          const { mode } = await stat(join(dataDir, name));
          if ((mode & OTHERS) !== 0) problems.push(`others may read ${name}`);
        }
      }
      return problems.length === 0
        ? "the data directory can be written, by this user alone"
        : { lacking: problems.join("; ") };
    },
  };
}
