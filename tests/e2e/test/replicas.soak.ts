import { expect, test } from "vitest";
import { chaos, effectsOf } from "./replicas-chaos.ts";
import { postgresForTests, Replicas } from "./replicas-fixtures.ts";

const SEED = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000);
const PLANS = Number(process.env["CHAOS_PLANS"] ?? 100);
const postgres = await postgresForTests();

test.skipIf(postgres === undefined)(
  `${PLANS} plans through three servers under random kills (seed ${SEED})`,
  { timeout: 3_600_000 },
  async () => {
    await using place = await Replicas.on(postgres as NonNullable<typeof postgres>);
    const followed = await chaos(place, {
      plans: PLANS,
      kills: Math.ceil(PLANS / 5),
      servers: 3,
      seed: SEED,
    });
    expect(new Set(followed.map(({ id }) => id)).size).toBe(PLANS);
    for (const [n, { id, cursors, states }] of followed.entries()) {
      expect(cursors).toEqual(cursors.map((_, index) => `${id}:${index + 1}`));
      expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
      expect(effectsOf(place, n)).toEqual(["one\n", "two\n", "three\n"]);
    }
  },
);
