// A process that commits to one task of a file that another one writes too: `<path> <name> <commits>`.
import { chunk, open } from "./sqlite-fixtures.ts";

const [path = "", name = "", commits = "0"] = process.argv.slice(2);
const database = await open(path);
for (let n = 0; n < Number(commits); n += 1)
  await database.tasks.commit({ taskId: "t", events: [{ key: `${name}${n}`, event: chunk(`${name}${n}`) }] });
await database.close();
