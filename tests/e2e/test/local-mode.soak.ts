import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isAlive, Place, until } from "./support.ts";

test("ten commands at once on a fresh directory share one owner, which leaves when nobody needs it", async () => {
  await using place = new Place({ CLEVERAGENTS_IDLE_SECONDS: "8" });
  mkdirSync(place.dataDir);
  const all = await Promise.all(
    Array.from({ length: 10 }, () => place.agents(["plan", "list", "-o", "json"])),
  );
  for (const ran of all)
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('"plans": []') });
  const { pid } = place.discovery();
  expect((await place.agents(["health", "check"])).code).toBe(0);
  expect(place.discovery().pid).toBe(pid);
  await until(() => !isAlive(pid));
});
