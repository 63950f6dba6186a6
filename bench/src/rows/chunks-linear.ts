import { NEW_TASK, openDatabase } from "../library/database.ts";
import { inFlight } from "../library/in-flight.ts";
import { compare, type Measurement } from "../library/measurement.ts";
import { interleave, timed } from "../library/rounds.ts";
import { scratch } from "../library/scratch.ts";
import { scaled, scaleNote } from "../library/settings.ts";
import { chunk } from "../library/tasks.ts";

const FEW = 1000;

/** What a chunk costs, the reading of the whole artifact at the end included: of a long one, and of short ones. */
export async function* chunksLinearRow(): AsyncGenerator<Measurement> {
  const many = scaled(100_000);
  const pairs = await interleave(
    "chunks-linear",
    () => perChunk(1, many),
    () => perChunk(Math.max(1, Math.round(many / FEW / 5)), FEW),
  );
  yield compare(pairs, {
    name: "chunks-linear",
    unit: "µs/chunk of 100,000",
    rivalName: "µs/chunk of 1,000",
    goal: "<= 1.5",
    note: scaleNote(),
  });
}

async function perChunk(tasks: number, chunks: number): Promise<number> {
  using place = scratch();
  await using database = await openDatabase(place.join("store.db"));
  const { tasks: store } = database;
  const took = await timed(async () => {
    for (let t = 0; t < tasks; t++) {
      const taskId = `t${t}`;
      await store.commit({ taskId, create: NEW_TASK });
      await inFlight(chunks, 64, (n) => store.commit({ taskId, events: [{ key: `${n}`, event: chunk(n) }] }));
      const parts = (await store.snapshot(taskId, { artifacts: true }))?.artifacts[0]?.parts.length;
      if (parts !== chunks) throw new Error(`${parts} of ${chunks} chunks are there`);
    }
  });
  return (took * 1000) / (tasks * chunks);
}
