import { DatabaseSync } from "node:sqlite";
import { NEW_TASK, openDatabase } from "../library/database.ts";
import { compare, type Measurement } from "../library/measurement.ts";
import { interleave, timed } from "../library/rounds.ts";
import { scratch } from "../library/scratch.ts";
import { chunk } from "../library/tasks.ts";

const EVENTS = 1500;
const TIMES = 40;

/** Reading a whole log in pages. */
export async function* replayRow(): AsyncGenerator<Measurement> {
  using place = scratch();
  await using database = await openDatabase(place.join("store.db"));
  const { tasks: store } = database;
  const events = Array.from({ length: EVENTS }, (_, n) => ({ key: `${n}`, event: chunk(n) }));
  await store.commit({ taskId: "t", create: NEW_TASK, events });
  const bare = new DatabaseSync(place.join("store.db"), { readOnly: true });
  const select = bare.prepare(
    "select seq, event_key, logged_at, body from task_events where task_id = ? order by seq",
  );

  const times = async (replay: () => number | Promise<number>) => {
    const took = await timed(async () => {
      for (let i = 0; i < TIMES; i++) if ((await replay()) !== EVENTS) throw new Error("events are missing");
    });
    return took / TIMES;
  };
  const ours = () =>
    times(async () => {
      let read = 0;
      for (let page = await store.events("t", 0); page.length > 0; page = await store.events("t", read))
        read += page.length;
      return read;
    });
  const rival = () =>
    times(() => {
      const rows = select.all("t");
      for (const { body } of rows) JSON.parse(String(body));
      return rows.length;
    });
  const pairs = await interleave("replay", ours, rival);
  bare.close();
  yield compare(pairs, {
    name: "replay",
    unit: "ms/1,500 events",
    rivalName: "select and JSON.parse",
    goal: "<= 2",
  });
}
