// A process that commits until it is killed, and says what was acknowledged: `<task> <key> <seq>` a line.
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { chunk, open, plan } from "./postgres-fixtures.ts";

flushCompileCache(); // for the next one: what is killed keeps nothing
const [url = "", name = "", tasksText = "a,b,c"] = process.argv.slice(2);
const { tasks } = await open(url);
const ids = tasksText.split(",");
await Promise.allSettled(ids.map((taskId) => tasks.commit(plan(taskId))));
writeSync(1, "ready\n");

/** Several writers at once, each waiting for its own commits, so that groups are of every size. */
async function write(writer: number): Promise<never> {
  for (let n = 0; ; n += 1) {
    const taskId = ids[(writer + n) % ids.length] ?? "";
    const key = `${name}.${writer}.${n}`;
    const { lastSeq } = await tasks.commit({ taskId, events: [{ key, event: chunk(key) }] });
    writeSync(1, `${taskId} ${key} ${lastSeq}\n`);
  }
}
await Promise.all([1, 2, 3, 4, 5].map(write));
