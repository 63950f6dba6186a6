import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inTheMiddle, postgresForTests, processesWith, Replicas, statusOf } from "./replicas-fixtures.ts";
import { until } from "./support.ts";

const SLOW = 180_000;
const postgres = await postgresForTests();

describe.skipIf(postgres === undefined)("two servers on one database", () => {
  const open = async () => Replicas.on(postgres as NonNullable<typeof postgres>);

  test("when one is killed while it runs a step, the other takes the plan over: the command ends, and its effect is there once", {
    timeout: SLOW,
  }, async () => {
    await using place = await open();
    const { id, word, running, worker, client } = await inTheMiddle(place);
    worker.child.kill("SIGKILL");
    await until(() => !processesWith(word).some((pid) => running.includes(pid)), 60_000);
    expect(existsSync(join(place.dataDir, "sandboxes", id, "tree", "effect.txt"))).toBe(false);
    await until(async () => (await statusOf(client, id)).waiting_for?.kind === "apply", 60_000);
    const { digest } = await statusOf(client, id);
    await client.call("_cleveragents/plan/apply", { plan_id: id, digest });
    expect(readFileSync(join(place.project, "effect.txt"), "utf8")).toBe("effect\n");
    expect(processesWith(word)).toEqual([]);
  });
});
