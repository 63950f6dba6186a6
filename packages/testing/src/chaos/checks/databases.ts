import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Every database of a data directory is whole, and its references lead somewhere. */
export function checkDatabases(dataDir: string): readonly string[] {
  return readdirSync(dataDir)
    .filter((name) => name.endsWith(".db"))
    .flatMap((name) => {
      using database = new DatabaseSync(join(dataDir, name), { readOnly: true });
      const found = database.prepare("pragma integrity_check").all();
      const lost = database.prepare("pragma foreign_key_check").all();
      return [
        ...found.flatMap(({ integrity_check: said }) => (said === "ok" ? [] : [`${name}: ${said}`])),
        ...lost.map((row) => `${name}: a row of ${row["table"]} refers to nothing`),
      ];
    });
}
