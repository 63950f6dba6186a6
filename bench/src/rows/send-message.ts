import { compare, type Measurement } from "../library/measurement.ts";
import { interleave } from "../library/rounds.ts";
import { openServers, type Server } from "../library/servers.ts";
import { settings } from "../library/settings.ts";
import { TRIVIAL } from "../library/tasks.ts";
import type { Loaded } from "../roles/load.ts";

const TURNS = { rounds: settings.rounds * 4, warmUp: 4 };
const TURN_MS = 400;

/** Requests per second at 50 connections: a new task each, over when it is answered; ours on the disk by then. */
export async function* sendMessageRow(): AsyncGenerator<Measurement> {
  yield perSecond("send-message", "ours");
}

/** The same of a server that does no more than write the same rows, in two transactions, and answer. */
export async function* sendMessageFloorRow(): AsyncGenerator<Measurement> {
  yield perSecond("send-message-floor", "durable");
}

async function perSecond(name: string, side: "ours" | "durable"): Promise<Measurement> {
  await using servers = await openServers();
  const message = { messageId: TRIVIAL, role: "ROLE_USER", parts: [{ text: "do it" }] };
  const call = ({ port }: Server) => ({ port, method: "SendMessage", params: { message } });
  for (const server of [servers[side], servers.sdk]) {
    const answer = await servers.load.ask<{ result?: { task?: { status: { state: string } } } }>(
      "call",
      call(server),
    );
    if (answer.result?.task?.status.state !== "TASK_STATE_COMPLETED")
      throw new Error(`not answered with a finished task: ${JSON.stringify(answer)}`);
  }
  const rate = async (server: Server) =>
    (await servers.load.ask<Loaded>("run", { ...call(server), fresh: true, connections: 50, ms: TURN_MS }))
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
    goal: ">= 1.5",
  });
}
