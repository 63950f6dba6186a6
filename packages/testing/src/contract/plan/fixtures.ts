import type { ResultOf } from "@cleveragents/protocol";
import { afterAll, beforeAll } from "vitest";
import { atRest, createRepository, toGate, use } from "../../world/index.ts";
import type { OpenWorld, World } from "../../world/world.ts";

const STATES = ["manual", "gate", "escaping", "applied", "cancelled", "asking"] as const;
type StateName = (typeof STATES)[number];

/** A world with a plan in each state that a method may be called in, and a project whose folder is gone. */
export interface PreparedPlans {
  readonly world: () => World;
  /** The id of a plan: `manual` waits to be started, `gate` and `escaping` to be applied, `asking` for an answer. */
  readonly plan: (state: StateName) => string;
  /** What applying the one that is applied has answered. */
  readonly appliedResult: () => ResultOf<"_cleveragents/plan/apply">;
}

export function preparePlans(open: OpenWorld): PreparedPlans {
  let world: World;
  let plans: Record<StateName, string>;
  let appliedResult: ResultOf<"_cleveragents/plan/apply">;
  beforeAll(async () => {
    world = await open();
    const manual = (await use(world, "full-edit", { arguments: { who: "Ada" } })).plan_id;
    const cancelled = (await use(world, "idle")).plan_id;
    await world.client.call("_cleveragents/plan/cancel", { plan_id: cancelled, reason: "changed my mind" });
    const [gate, escaping, applied, asking] = await Promise.all([
      toGate(world, "touch", { arguments: { path: "gate.txt" } }),
      toGate(world, "run", { arguments: { command: "ln -s /etc/hostname escape" } }),
      toGate(world, "touch", { arguments: { path: "applied.txt" } }),
      toGate(world, "ask"),
    ]);
    appliedResult = await world.client.call("_cleveragents/plan/apply", {
      plan_id: applied.plan_id,
      digest: applied.digest ?? null,
    });
    await atRest(world.client, manual);
    plans = {
      manual,
      cancelled,
      gate: gate.plan_id,
      escaping: escaping.plan_id,
      applied: applied.plan_id,
      asking: asking.plan_id,
    };
    await registerVanishedProject(world);
  });
  afterAll(() => world[Symbol.asyncDispose]());
  return { world: () => world, plan: (state) => plans[state], appliedResult: () => appliedResult };
}

async function registerVanishedProject({ client }: World): Promise<void> {
  await using gone = await createRepository("plain");
  await client.call("_cleveragents/registry/project/add", { name: "gone", path: gone.root });
}

/** Refusals that every method of one plan has. */
export const NOBODY = "somebody-else";
export const NO_DIGEST = `sha256:${"0".repeat(64)}`;
