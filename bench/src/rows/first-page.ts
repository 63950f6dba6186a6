import { startRole } from "../library/child.ts";
import { compare, type Measurement } from "../library/measurement.ts";
import { interleave, progress } from "../library/rounds.ts";
import { scratch } from "../library/scratch.ts";
import { portOf } from "../library/servers.ts";
import { scaled, scaleNote } from "../library/settings.ts";
import type { Loaded } from "../roles/load.ts";

/** The first page of the list of tasks, over HTTP. */
export async function* firstPageRow(): AsyncGenerator<Measurement> {
  using place = scratch();
  await using full = await startRole("ours", { path: place.join("full.db") });
  await using small = await startRole("ours", { path: place.join("small.db") });
  await using load = await startRole("load");
  const many = scaled(100_000);
  progress(`first-page: making ${many} tasks`);
  await small.ask("many", { tasks: 100 });
  await full.ask("many", { tasks: many });

  const cost = async (port: number) => {
    const { perSecond } = await load.ask<Loaded>("run", {
      port,
      method: "ListTasks",
      params: {},
      connections: 2,
      ms: 1000,
    });
    return 1000 / perSecond;
  };
  const pairs = await interleave(
    "first-page",
    () => cost(portOf(full)),
    () => cost(portOf(small)),
    { warmUp: 2 },
  );
  yield compare(pairs, {
    name: "first-page",
    unit: "ms/page of 100,000 tasks",
    rivalName: "of 100 tasks",
    goal: "<= 2",
    note: scaleNote(),
  });
}
