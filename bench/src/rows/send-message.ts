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
  await using servers = await openServers();
  const message = { messageId: TRIVIAL, role: "ROLE_USER", parts: [{ text: "do it" }] };
  const call = ({ port }: Server) => ({ port, method: "SendMessage", params: { message } });
  for (const server of [servers.ours, servers.sdk]) {
    const answer = await servers.load.ask<{ result?: { task?: { status: { state: string } } } }>(
      "call",
      call(server),
    );
    if (answer.result?.task?.status.state !== "TASK_STATE_COMPLETED")
      throw new Error(`not answered with a finished task: ${JSON.stringify(answer)}`);
  }
  const perSecond = async (server: Server) =>
    (await servers.load.ask<Loaded>("run", { ...call(server), fresh: true, connections: 50, ms: TURN_MS }))
      .perSecond;
  const pairs = await interleave(
    "send-message",
    () => perSecond(servers.ours),
    () => perSecond(servers.sdk),
    TURNS,
  );
  yield compare(pairs, {
    name: "send-message",
    unit: "requests/s",
    rivalName: "@a2a-js/sdk on Express, in memory",
    goal: ">= 1.5",
  });
}
