// A process that commits until it is killed, and says what was acknowledged: `<task> <key> <seq>` a line.
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { chunk, open, plan } from "./sqlite-fixtures.ts";

flushCompileCache(); // for the next one: what is killed keeps nothing
const [path = "", round = ""] = process.argv.slice(2);
const { tasks } = await open(path);
const ids = ["a", "b", "c"].map((name) => `${name}${round}`);
await Promise.all(ids.map((taskId) => tasks.commit(plan(taskId))));

/** Several writers at once, each waiting for its own commits, so that groups are of every size. */
async function write(writer: number): Promise<never> {
  for (let n = 0; ; n += 1) {
    const taskId = ids[(writer + n) % ids.length] ?? "";
    const key = `${writer}.${n}`;
    const { lastSeq } = await tasks.commit({ taskId, events: [{ key, event: chunk(key) }] });
    writeSync(1, `${taskId} ${key} ${lastSeq}\n`);
  }
}
await Promise.all([1, 2, 3, 4, 5].map(write));
