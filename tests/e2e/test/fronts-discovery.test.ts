import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killOwner, StdioFront } from "./fronts-support.ts";
import { isAlive, Place, until } from "./support.ts";

const SLOW = 180_000;
const list = (place: Place, ...more: string[]) => place.agents(["plan", "list", "-o", "json", ...more]);

/** A data directory whose owner was killed, with all that it left. */
async function abandoned(): Promise<Place> {
  const place = new Place();
  mkdirSync(place.dataDir);
  expect(await list(place)).toMatchObject({ code: 0 });
  const pid = killOwner(place) ?? 0;
  await until(() => !isAlive(pid));
  return place;
}

test("what a killed owner leaves behind, lock, socket and addresses, keeps nobody away", {
  timeout: SLOW,
}, async () => {
  await using place = await abandoned();
  const left = place.discovery();
  expect(statSync(left.socket).isSocket()).toBe(true);
  expect(existsSync(join(place.dataDir, "owner.lock"))).toBe(true);
  const front = new StdioFront(place);
  expect(await front.ask(1, "ListTasks")).toMatchObject({ result: {} });
  expect(place.discovery().socket).toBe(left.socket);
  expect((await list(place)).code).toBe(0);
  await front.close();
});

test("ten fronts that start at once make one owner, and all ten are served", { timeout: SLOW }, async () => {
  await using place = new Place();
  mkdirSync(place.dataDir);
  const fronts = Array.from({ length: 10 }, () => new StdioFront(place));
  const answers = await Promise.all(fronts.map((front) => front.ask("a", "ListTasks")));
  for (const answer of answers) expect(answer).toMatchObject({ result: { tasks: [] } });
  const owned = readFileSync(join(place.dataDir, "owner.log"), "utf8").match(/this process owns/g);
  expect(owned).toHaveLength(1);
  for (const ran of await Promise.all(fronts.map((front) => front.close()))) expect(ran.code).toBe(0);
});
