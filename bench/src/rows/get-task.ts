import { compare, type Measurement } from "../library/measurement.ts";
import { interleave } from "../library/rounds.ts";
import { getTask, openServers, type Server } from "../library/servers.ts";
import { settings } from "../library/settings.ts";
import type { Loaded } from "../roles/load.ts";

/** Many short turns: a server's share of a busy machine changes from second to second. */
const TURNS = { rounds: settings.rounds * 4, warmUp: 4 };
const TURN_MS = 400;

/** Requests per second at 50 connections, all of one small task. */
export async function* getTaskRow(): AsyncGenerator<Measurement> {
  yield perSecond("get-task", "ours");
}

/** How much faster than the rival a server can be that only parses the call and writes the same answer. */
export async function* getTaskFloorRow(): AsyncGenerator<Measurement> {
  yield perSecond("get-task-floor", "bare");
}

async function perSecond(name: string, side: "ours" | "bare"): Promise<Measurement> {
  await using servers = await openServers();
  const rate = async ({ port, taskId }: Server) =>
    (await servers.load.ask<Loaded>("run", { ...getTask(port, taskId), connections: 50, ms: TURN_MS }))
      .perSecond;
  const pairs = await interleave(
    name,
    () => rate(servers[side]),
    () => rate(servers.sdk),
    TURNS,
  );
  return compare(pairs, {
    name,
    unit: "requests/s",
    rivalName: "@a2a-js/sdk on Express, in memory",
    goal: ">= 2",
  });
}

/** What one request costs the server's process. */
export async function* getTaskCpuRow(): AsyncGenerator<Measurement> {
  await using servers = await openServers();
  const cost = async ({ child, port, taskId }: Server) => {
    const before = await child.ask<number>("cpu");
    const { requests } = await servers.load.ask<Loaded>("run", {
      ...getTask(port, taskId),
      connections: 50,
      ms: TURN_MS,
    });
    return ((await child.ask<number>("cpu")) - before) / requests;
  };
  const pairs = await interleave(
    "get-task-cpu",
    () => cost(servers.ours),
    () => cost(servers.bare),
    TURNS,
  );
  yield compare(pairs, {
    name: "get-task-cpu",
    unit: "µs of CPU/request",
    rivalName: "node:http JSON echo",
    goal: "<= 2",
  });
}
