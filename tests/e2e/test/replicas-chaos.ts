import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, followTask } from "@cleveragents/protocol";
import { persistently, type Replicas, wandering } from "./replicas-fixtures.ts";
import { finished, type RunningServer, until } from "./support.ts";

export interface ChaosOptions {
  readonly plans: number;
  readonly kills: number;
  readonly servers: number;
  readonly seed: number;
}

export interface Followed {
  readonly id: string;
  readonly cursors: string[];
  /** Names of the plan's domain events, in the order in which they came. */
  readonly states: string[];
}

/** mulberry32 */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Starts plans, one after the other, at any server, and follows each through whichever answers, while servers are
 * killed at random and started again. Answers what the followers have seen once all plans are over.
 */
export async function chaos(place: Replicas, options: ChaosOptions): Promise<readonly Followed[]> {
  const random = seeded(options.seed);
  const servers: (RunningServer | undefined)[] = [];
  for (let n = 0; n < options.servers; n++) servers.push(await place.server());
  const alive = () => servers.filter((server) => server !== undefined);
  const client: Client = createClient(wandering(random, alive, place.dataDir));
  await persistently(() =>
    place.furnish(
      client,
      "steps",
      [
        'run: { command: "echo one >> one-{{ args.n }}.txt; sleep 0.3" }',
        'run: { command: "echo two >> two-{{ args.n }}.txt; sleep 0.3" }',
        "{ name: go, ask: { question: Go?, options: [{ id: yes }, { id: no }] } }",
        'run: { command: "echo three >> three-{{ args.n }}.txt" }',
      ],
      ["{ name: n, required: true }"],
    ),
  );

  let over = 0;
  let killed = 0;
  const killing = (async () => {
    while (killed < options.kills && over < options.plans) {
      // Never all of them: somebody has to be there for the others' plans to go on soon.
      const next = over + 1;
      await until(() => over >= Math.min(next, options.plans) || random() < 0.02, 120_000);
      const at = Math.floor(random() * servers.length);
      const victim = servers[at];
      if (victim === undefined) continue;
      servers[at] = undefined;
      const ended = finished(victim.child);
      victim.child.kill("SIGKILL");
      await ended;
      killed++;
      servers[at] = await place.server();
    }
  })();

  const follow = async (n: number): Promise<Followed> => {
    const task = await persistently(async () => {
      const sent = await client.call("SendMessage", {
        // Sent again after a kill, it belongs to the plan that it has begun.
        message: {
          messageId: `message-${n}`,
          role: "ROLE_USER",
          parts: [
            { data: { action_name: "steps", automation_profile: "trusted", arguments: { n: String(n) } } },
          ],
        },
        configuration: { returnImmediately: true },
      });
      if (!("task" in sent)) throw new Error("no plan was started");
      return sent.task;
    });
    const seen: Followed = { id: task.id, cursors: [], states: [] };
    const answered = new Set<string>();
    for await (const item of followTask(client, task.id, {
      after: `${task.id}:0`,
      retryMs: 50,
      maxAttempts: 600,
    })) {
      if ("task" in item.result) continue;
      seen.cursors.push(item.cursor ?? "");
      if (!("statusUpdate" in item.result)) continue;
      const { state } = item.result.statusUpdate.status;
      seen.states.push(state);
      if (state === "TASK_STATE_INPUT_REQUIRED") void answer(client, task.id, answered);
    }
    over++;
    return seen;
  };
  const followed: Promise<Followed>[] = [];
  for (let n = 0; n < options.plans; n++) {
    followed.push(follow(n));
    await new Promise((resolve) => setTimeout(resolve, 100 + random() * 300));
  }
  const all = await Promise.all(followed);
  await killing;
  return all;
}

/** Says yes to whatever a plan asks now; what was answered already is answered the same again. */
async function answer(client: Client, planId: string, answered: Set<string>): Promise<void> {
  await persistently(async () => {
    const { waiting_for: open, digest } = await client.call("_cleveragents/plan/status", { plan_id: planId });
    if (open === undefined || answered.has(open.request_id)) return;
    if (open.kind === "apply") await client.call("_cleveragents/plan/apply", { plan_id: planId, digest });
    else
      await client.call("_cleveragents/plan/approve", {
        plan_id: planId,
        request_id: open.request_id,
        option: open.kind === "retry" ? "retry" : "yes",
      });
    answered.add(open.request_id);
  }).catch(() => undefined); // it has gone on meanwhile; the end of the stream says whether rightly
}

/** What each plan has left in the project: every step's effect, as often as it is there. */
export function effectsOf(place: Replicas, n: number): readonly string[] {
  return ["one", "two", "three"].map((step) => readFileSync(join(place.project, `${step}-${n}.txt`), "utf8"));
}
