import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { mapLimit } from "./map-limit.ts";

test("a failure is thrown when nothing is under way any more, and nothing is begun after it", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    if (item === 1) throw new Error("no");
    await delay(5);
    ended.push(item);
  };
  await expect(mapLimit([0, 1, 2, 3, 4, 5], 3, work)).rejects.toThrow("no");
  expect(begun).toEqual([0, 1, 2]);
  expect(ended).toEqual([0, 2]);
});
