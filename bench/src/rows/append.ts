import { DatabaseSync } from "node:sqlite";
import { NEW_TASK, openDatabase } from "../library/database.ts";
import { inFlight } from "../library/in-flight.ts";
import { compare, type Measurement } from "../library/measurement.ts";
import { interleave, timed } from "../library/rounds.ts";
import { scratch } from "../library/scratch.ts";
import { scaled, scaleNote } from "../library/settings.ts";
import { chunk } from "../library/tasks.ts";

const WIDTH = 64;

/** Durable appends of one event each: 64 tasks at once, then one after the other. */
export async function* appendRow(): AsyncGenerator<Measurement> {
  using place = scratch();
  const bare = await bareDatabase(place.join("bare.db"));
  await using database = await openDatabase(place.join("ours.db"));
  for (let t = 0; t < WIDTH; t++)
    await database.tasks.commit({
      taskId: `t${t}`,
      create: NEW_TASK,
      events: [{ key: "0", event: chunk(0) }],
    });
  let key = 0;
  const append = () => {
    const n = ++key;
    return database.tasks.commit({ taskId: `t${n % WIDTH}`, events: [{ key: `${n}`, event: chunk(n) }] });
  };
  // A wider writer would make larger groups than the rival's.
  const grouped = async (appends: number) => {
    for (let n = 0; n < appends; n += WIDTH) await inFlight(WIDTH, WIDTH, append);
  };
  const groups = scaled(8192);
  const wide = await interleave(
    "append",
    async () => (await timed(() => grouped(groups))) * (1000 / groups),
    async () => (await timed(() => bare.commit(groups, WIDTH))) * (1000 / groups),
  );
  const rivalName = "node:sqlite, FULL, the same rows";
  yield compare(wide, {
    name: "append",
    unit: "µs/append, 64 in flight",
    rivalName,
    goal: "<= 1.5",
    note: scaleNote(),
  });

  const singles = scaled(1000);
  const alone = await interleave(
    "append-single",
    async () => (await timed(() => inFlight(singles, 1, append))) * (1000 / singles),
    async () => (await timed(() => bare.commit(singles, 1))) * (1000 / singles),
  );
  yield compare(alone, {
    name: "append-single",
    unit: "µs/append, one at a time",
    rivalName,
    goal: "<= 1.5",
    note: scaleNote(),
  });
  bare.close();
}

/** The same tables, and statements that write the rows that an append writes: an event each, each task's row once per group. */
async function bareDatabase(path: string) {
  await using ours = await openDatabase(path);
  for (let t = 0; t < WIDTH; t++)
    await ours.tasks.commit({ taskId: `t${t}`, create: NEW_TASK, events: [{ key: "0", event: chunk(0) }] });
  await ours[Symbol.asyncDispose]();
  const database = new DatabaseSync(path);
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16384; pragma foreign_keys = on",
  );
  const event = database.prepare(
    "insert into task_events (task_id, seq, event_key, logged_at, body, artifact_id, messages) values (?, ?, ?, ?, ?, ?, ?)",
  );
  const task = database.prepare(
    "update tasks set updated_at = ?, last_seq = ?, revision = ? where task_id = ?",
  );
  let key = 0;
  const sequences = new Array<number>(WIDTH).fill(1);
  return {
    commit(appends: number, group: number): void {
      for (let n = 0; n < appends; n += group) {
        database.exec("begin immediate");
        for (let i = 0; i < group; i++) {
          const t = ++key % WIDTH;
          const seq = (sequences[t] ?? 0) + 1;
          sequences[t] = seq;
          event.run(`t${t}`, seq, `${key}`, Date.now(), JSON.stringify(chunk(key)), "output", 0);
          task.run(Date.now(), seq, seq, `t${t}`);
        }
        database.exec("commit");
      }
    },
    close: () => database.close(),
  };
}
