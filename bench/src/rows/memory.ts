import { mkdirSync } from "node:fs";
import { type Client, createClient } from "@cleveragents/protocol";
import { createHttpTransport } from "@cleveragents/transport-http/client";
import { inFlight } from "../library/in-flight.ts";
import { compare, type Measurement } from "../library/measurement.ts";
import { startServer } from "../library/programs.ts";
import { progress } from "../library/rounds.ts";
import { scratch } from "../library/scratch.ts";
import { scaled, scaleNote } from "../library/settings.ts";
import { createRepository, TOUCH } from "../library/small-project.ts";

const REST = new Set(["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_INPUT_REQUIRED"]);

/** Memory of the whole server after many plans and as many abandoned streams, against what it was after a tenth. */
export async function* memoryRow(): AsyncGenerator<Measurement> {
  using place = scratch();
  const project = place.join("project");
  mkdirSync(project);
  createRepository(project, place.path, 10);
  await using server = await startServer("start", place.path);
  await using client = createClient(createHttpTransport({ url: new URL("/a2a", server.ready) }));
  await client.call("_cleveragents/registry/project/add", { name: "demo", path: project });
  await client.call("_cleveragents/registry/action/add", { document: TOUCH, file: "touch.yaml" });

  const few = scaled(100);
  const many = scaled(1000);
  await work(client, few);
  const rival = await server.ask<number>("memory");
  progress(`memory: ${few} plans: ${rival}`);
  for (let done = few; done < many; done += few) {
    await work(client, few);
    progress(`memory: ${done + few} plans: ${await server.ask<number>("memory")}`);
  }
  const ours = await server.ask<number>("memory");
  const mebibytes = (bytes: number) => bytes / 2 ** 20;
  yield compare([{ ours: mebibytes(ours), rival: mebibytes(rival) }], {
    name: "memory",
    unit: "MiB after 1,000 plans and streams",
    rivalName: "after 100",
    goal: "<= 1.2",
    note: scaleNote(),
  });
}

/** Plans that are carried out to their gate, each with a stream that is left while it waits for more. */
async function work(client: Client, plans: number): Promise<void> {
  await inFlight(plans, 4, async () => {
    const use = { action_name: "touch", project: "demo", automation_profile: "trusted" };
    const { plan_id: id } = await client.call("_cleveragents/plan/use", use);
    await leaveAtRest(client, id);
  });
}

async function leaveAtRest(client: Client, id: string): Promise<void> {
  const leaving = new AbortController();
  for await (const { result } of client.stream("SubscribeToTask", { id }, { signal: leaving.signal })) {
    const status =
      "task" in result
        ? result.task.status
        : "statusUpdate" in result
          ? result.statusUpdate.status
          : undefined;
    if (status !== undefined && REST.has(status.state)) break;
  }
  leaving.abort();
}
