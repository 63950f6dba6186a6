import { startRole } from "../library/child.ts";
import { compare, type Measurement } from "../library/measurement.ts";
import { median } from "../library/median.ts";
import { interleave } from "../library/rounds.ts";
import { scratch } from "../library/scratch.ts";
import { portOf } from "../library/servers.ts";
import { scaled, scaleNote } from "../library/settings.ts";

/** Updates published in a round, one after the other. */
const UPDATES = 10;

/** From an update's commit until the last of all subscribers of its task has received it. */
export async function* subscribersRow(): AsyncGenerator<Measurement> {
  using place = scratch();
  await using ours = await startRole("ours", { path: place.join("store.db") });
  await using load = await startRole("load");

  async function crowd(count: number): Promise<() => Promise<number>> {
    const taskId = await ours.ask<string>("empty");
    const name = String(count);
    await load.ask("open", {
      name,
      count,
      port: portOf(ours),
      method: "SubscribeToTask",
      params: { id: taskId },
    });
    let events = 1;
    return async () => {
      const times: number[] = [];
      for (let i = 0; i < UPDATES; i++) {
        const last = load.ask<number>("received", { name, events: ++events });
        const began = await ours.ask<number>("append", { taskId });
        times.push((await last) - began);
      }
      return median(times);
    };
  }
  const pairs = await interleave("subscribers", await crowd(scaled(1000)), await crowd(10));
  yield compare(pairs, {
    name: "subscribers",
    unit: "ms until 1,000 have it",
    rivalName: "until 10 have it",
    goal: "<= 20",
    note: scaleNote(),
  });
}
