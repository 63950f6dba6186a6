import { expect, test } from "vitest";
import { chaos, effectsOf } from "./replicas-chaos.ts";
import { postgresForTests, Replicas } from "./replicas-fixtures.ts";

const SEED = Number(process.env["CHAOS_SEED"] ?? 20_261_130);
const postgres = await postgresForTests();

test.skipIf(postgres === undefined)(
  `three plans through two servers, one of which is killed once (seed ${SEED}): every event once, in order, every effect once`,
  { timeout: 600_000 },
  async () => {
    await using place = await Replicas.on(postgres as NonNullable<typeof postgres>);
    const followed = await chaos(place, { plans: 3, kills: 1, servers: 2, seed: SEED });
    expect(new Set(followed.map(({ id }) => id)).size).toBe(3);
    for (const [n, { id, cursors, states }] of followed.entries()) {
      expect(cursors).toEqual(cursors.map((_, index) => `${id}:${index + 1}`));
      expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
      expect(effectsOf(place, n)).toEqual(["one\n", "two\n", "three\n"]);
    }
  },
);
