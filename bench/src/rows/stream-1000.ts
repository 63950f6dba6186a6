import { compare, type Measurement } from "../library/measurement.ts";
import { median } from "../library/median.ts";
import { interleave } from "../library/rounds.ts";
import { openServers, type Server, type Servers } from "../library/servers.ts";
import { settings } from "../library/settings.ts";

const UPDATES = 1000;
/** Streams in a round, whose median counts: each is over in no time. */
const STREAMS = 7;
/** Streams in a round that are left after their first event. */
const FIRSTS = 30;

/** One stream of updates, from when an actor in the server may begin to say them to the last one received. */
export async function* streamRow(): AsyncGenerator<Measurement> {
  await using servers = await openServers();
  const { ours, bare, sdk } = servers;
  const toBare = await interleave(
    "stream-1000",
    () => streams(servers, ours),
    () => streams(servers, bare),
  );
  yield compare(toBare, {
    name: "stream-1000",
    unit: "events/s",
    rivalName: "SSE frames written to node:http",
    goal: ">= 0.1",
  });

  const first = await interleave(
    "stream-1000",
    () => firstEvent(servers, ours),
    () => firstEvent(servers, bare),
  );
  yield compare(first, {
    name: "stream-first-event",
    unit: "ms",
    rivalName: "SSE frames written to node:http",
    goal: "<= 3",
  });

  // Each of its streams takes seconds.
  const few = { rounds: Math.min(3, settings.rounds), warmUp: 0 };
  const toSdk = await interleave(
    "stream-1000",
    () => streams(servers, ours),
    () => streamed(servers, sdk),
    few,
  );
  yield compare(toSdk, {
    name: "stream-1000-sdk",
    unit: "events/s",
    rivalName: "@a2a-js/sdk on Express, in memory",
    goal: ">= 50",
  });
}

/** The same of a server that writes the same rows, some hundred updates in a transaction, and then the frames. */
export async function* streamFloorRow(): AsyncGenerator<Measurement> {
  await using servers = await openServers();
  const pairs = await interleave(
    "stream-1000-floor",
    () => streams(servers, servers.durable),
    () => streams(servers, servers.bare),
  );
  yield compare(pairs, {
    name: "stream-1000-floor",
    unit: "events/s",
    rivalName: "SSE frames written to node:http",
    goal: ">= 0.1",
  });
}

async function streams(servers: Servers, server: Server): Promise<number> {
  const rates: number[] = [];
  for (let i = 0; i < STREAMS; i++) rates.push(await streamed(servers, server));
  return median(rates);
}

async function streamed({ load }: Servers, server: Server): Promise<number> {
  await load.ask("open", { name: "stream", count: 1, ...sending(server) });
  const last = load.ask<number>("received", { name: "stream", events: 1 + UPDATES });
  const began = await server.child.ask<number>("publish", { updates: UPDATES });
  const took = (await last) - began;
  await load.ask("close", { name: "stream" });
  return (UPDATES * 1000) / took;
}

/** From the request on a new connection to the task that a stream begins with. */
async function firstEvent({ load, ours }: Servers, server: Server): Promise<number> {
  const taskId = server === ours ? await ours.child.ask<string>("empty") : server.taskId;
  const times: number[] = [];
  for (let i = 0; i < FIRSTS; i++) {
    times.push(await load.ask<number>("open", { name: "first", count: 1, ...following(server, taskId) }));
    await load.ask("close", { name: "first" });
  }
  return median(times);
}

function following({ port }: Server, taskId: string) {
  return { port, method: "SubscribeToTask", params: { id: taskId } };
}

/** Starts an actor, or what the rival calls so, whose stream this is. */
function sending({ port }: Server) {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "Go on." }] };
  return { port, method: "SendStreamingMessage", params: { message } };
}
