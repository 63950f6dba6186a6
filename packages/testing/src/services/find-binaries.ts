import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where Debian puts the servers of each version, which it keeps off the PATH. */
const DEBIAN = "/usr/lib/postgresql";

/** The directory of `initdb` and `postgres`: `PG_BIN`, else of the newest version that is installed. */
export function findPostgresBinaries(env: NodeJS.ProcessEnv): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).filter((name) => /^\d+$/.test(name)) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a)).map((name) => join(DEBIAN, name, "bin"));
  return [env["PG_BIN"], ...newestFirst, ...(env["PATH"] ?? "").split(":")].find(
    (directory) =>
      directory !== undefined &&
      directory !== "" &&
      existsSync(join(directory, "initdb")) &&
      existsSync(join(directory, "postgres")),
  );
}
