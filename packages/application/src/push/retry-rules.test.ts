import { describe, expect, test } from "vitest";
import type { PushOutcome } from "../ports/push-sender.ts";
import { createRetryRules } from "./retry-rules.ts";

const rules = createRetryRules({ random: () => 0.5 });
const NOW = 1_800_000_000_000;
const HOUR = 3600 * 1000;
const answered = (status: number, retryAfter?: string): PushOutcome => ({
  kind: "answered",
  status,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
const judge = (outcome: PushOutcome, attempts = 0, failingSince = NOW) =>
  rules(outcome, { attempts, failingSince, now: NOW });

describe("an attempt", () => {
  test.each([200, 202, 204, 299])("that is answered %i has arrived", (status) => {
    expect(judge(answered(status))).toEqual({ kind: "delivered" });
  });

  test.each([404, 410])("that is answered %i was the last one", (status) => {
    expect(judge(answered(status))).toEqual({ kind: "given-up", failure: `answered ${status}` });
  });

  test.each([301, 307, 400, 401, 403, 405, 101])("that is answered %i is one of five", (status) => {
    expect(judge(answered(status), 3)).toMatchObject({ kind: "again" });
    expect(judge(answered(status), 4)).toEqual({ kind: "given-up", failure: `answered ${status}` });
  });

  test("for an address that is not admitted is one of five", () => {
    expect(judge({ kind: "refused", why: "no" }, 3)).toMatchObject({ kind: "again" });
    expect(judge({ kind: "refused", why: "no" }, 4)).toEqual({ kind: "given-up", failure: "no" });
  });

  test.each([
    answered(500),
    answered(503),
    answered(429),
    answered(408),
    { kind: "failed", why: "ECONNREFUSED" } as const,
  ])("that fails for a while (%j) is made again for a day", (outcome) => {
    expect(judge(outcome, 500, NOW - 23 * HOUR)).toMatchObject({ kind: "again" });
    expect(judge(outcome, 1, NOW - 24 * HOUR)).toMatchObject({ kind: "given-up" });
  });
});

describe("the pause", () => {
  test("doubles with every failure, up to a quarter of an hour", () => {
    const pauses = [0, 1, 2, 9, 10, 1000].map((attempts) => judge(answered(500), attempts));
    expect(pauses.map((verdict) => verdict.kind === "again" && verdict.afterMs)).toEqual([
      1000, 2000, 4000, 512_000, 900_000, 900_000,
    ]);
  });

  test("grows whatever chance says", () => {
    const pauseOf = (attempts: number, chance: number) => {
      const verdict = createRetryRules({ random: () => chance })(answered(500), {
        attempts,
        failingSince: NOW,
        now: NOW,
      });
      return verdict.kind === "again" ? verdict.afterMs : 0;
    };
    for (let attempts = 0; attempts < 8; attempts++)
      expect(pauseOf(attempts + 1, 0)).toBeGreaterThan(pauseOf(attempts, 1));
  });

  test("is as long as the receiver asks for, in seconds or with a date", () => {
    expect(judge(answered(429, "120"))).toMatchObject({ afterMs: 120_000 });
    expect(judge(answered(503, new Date(NOW + 60_000).toUTCString()))).toMatchObject({ afterMs: 60_000 });
    expect(judge(answered(503, "soon"))).toMatchObject({ afterMs: 1000 });
    expect(judge(answered(429, "1"), 5)).toMatchObject({ afterMs: 32_000 });
  });

  test("does not lead beyond the day", () => {
    expect(judge(answered(429, "90000"))).toMatchObject({ kind: "given-up" });
  });
});
