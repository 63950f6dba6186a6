import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@cleveragents/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  mark,
  postgresForTests,
  processesWith,
  Replicas,
  statusOf,
  untilState,
} from "./replicas-fixtures.ts";
import { type RunningServer, until } from "./support.ts";

const SLOW = 180_000;
const postgres = await postgresForTests();

/** Each has a data directory of its own, as on two machines; the plans are the first one's. */
describe.skipIf(postgres === undefined)("servers of two hosts on one database", () => {
  let place: Replicas;
  let here: RunningServer;
  let one: Client;
  let two: Client;

  beforeAll(async () => {
    place = await Replicas.on(postgres as NonNullable<typeof postgres>);
    const elsewhere = join(place.dir, "elsewhere");
    here = await place.server();
    one = place.client(here);
    two = place.client(await place.server(["--data-dir", elsewhere]), elsewhere);
  }, SLOW);
  afterAll(() => place[Symbol.asyncDispose]());

  const use = async (action: string) => {
    const named = { action_name: action, automation_profile: "trusted" };
    return (await one.call("_cleveragents/plan/use", named)).plan_id;
  };

  test("a plan whose process was killed is left to its own host, whose next process goes on with it", {
    timeout: SLOW,
  }, async () => {
    const word = mark();
    await place.furnish(one, "slow", [
      `run: { command: "sh -c 'sleep 10; echo effect >> effect.txt' ${word}" }`,
    ]);
    await place.furnish(one, "short", [`run: { command: "sleep 6" }`]);
    const id = await use("slow");
    await until(() => processesWith(word).length > 0, 60_000);
    here.child.kill("SIGKILL");
    await until(() => here.child.signalCode !== null);
    // Its lease is over before the other host has finished something of its own.
    const named = { action_name: "short", automation_profile: "ci" };
    const { plan_id: own } = await two.call("_cleveragents/plan/use", named);
    await untilState(two, own, "COMPLETED");
    expect((await statusOf(two, id)).waiting_for?.kind).not.toBe("apply");
    expect(existsSync(join(place.dir, "elsewhere", "sandboxes", id))).toBe(false);

    here = await place.server();
    one = place.client(here);
    await until(async () => {
      const { waiting_for: asks } = await statusOf(two, id);
      // On a machine that is slow enough the host was silent for a minute.
      if (asks?.kind === "retry") {
        const answer = { request_id: asks.request_id, option: "retry" };
        await two.call("_cleveragents/plan/approve", { plan_id: id, ...answer });
      }
      return asks?.kind === "apply";
    }, 120_000);
    const { digest } = await statusOf(two, id);
    await two.call("_cleveragents/plan/apply", { plan_id: id, digest });
    expect(readFileSync(join(place.project, "effect.txt"), "utf8")).toBe("effect\n");
  });
});
