import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ChaosPlace,
  checkTries,
  expectNone,
  pause,
  recordsOf,
  seedsOf,
  settle,
  unsound,
  withSeed,
} from "@cleveragents/testing/chaos";
import { expect, test } from "vitest";
import { openPlace } from "./run-story.ts";
import { DOCUMENTS, tenSteps } from "./stories.ts";

const seeds = seedsOf({ env: process.env, seeds: [7] });

async function ok(place: ChaosPlace, ...args: readonly string[]): Promise<string> {
  const { code, output } = await place.agents(...args);
  expect(code, `agents ${args.join(" ")}\n${output}\n${place.log()}`).toBe(0);
  return output;
}

/** SIGKILL to the owner that `agents` started, wherever it is. It answers a moment before the file has its name. */
async function killOwner(place: ChaosPlace): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { pid } = JSON.parse(readFileSync(join(place.dataDir, "owner.json"), "utf8")) as { pid: number };
    try {
      process.kill(pid, "SIGKILL");
      return await pause(20);
    } catch (cause) {
      if (tries === 100) throw new Error(`the owner that answered is gone\n${place.log()}`, { cause });
      await pause(50);
    }
  }
}

test.each(seeds)(
  "with seed %i, the next command takes a plan on from where its owner was killed",
  { timeout: 300_000 },
  (seed) =>
    withSeed(seed, async (random) => {
      await using place = await openPlace([]);
      await ok(place, "project", "create", "demo", "--path", place.repository.root);
      const file = join(place.dir, "action.yaml");
      writeFileSync(file, DOCUMENTS[0]);
      await ok(place, "action", "add", file);
      const used = await ok(
        place,
        "plan",
        "use",
        "ten-steps",
        "--project",
        "demo",
        "--automation-profile",
        "trusted",
        "-o",
        "name",
      );
      const plan = used.trim();
      const status = async () => JSON.parse(await ok(place, "plan", "status", plan, "-o", "json"));
      const until = async (kind: string) => {
        while ((await status()).waiting_for?.kind !== kind) await pause(100);
      };
      for (let n = 0; n < 2; n++) {
        await pause(random.int(0, 600));
        await killOwner(place);
        expect(await status()).toMatchObject({ attempt: 1 });
      }
      await until("question");
      await killOwner(place);
      await ok(place, "plan", "approve", plan, "--option", "blue");
      await killOwner(place);
      await until("apply");
      await killOwner(place);
      await ok(place, "plan", "apply", plan, "--yes");
      expect(await status()).toMatchObject({ task_state: "TASK_STATE_COMPLETED", attempt: 1 });
      await killOwner(place);
      const problems = [...(await settle(place)), ...(await unsound(place))];
      problems.push(...recordsOf(place).flatMap((record) => checkTries(record, 6)));
      for (const [path, content] of Object.entries(tenSteps.effects ?? {}))
        expect((await place.repository.read(path)).toString()).toBe(content);
      expectNone(place, problems);
    }),
);
