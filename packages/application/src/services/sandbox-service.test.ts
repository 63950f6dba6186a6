import type { JsonObject, TaskState } from "@cleveragents/domain";
import { expect, test } from "vitest";
import type { TaskRow } from "../ports/task-store.ts";
import { SandboxService } from "./sandbox-service.ts";

const ME = { id: "me", scopes: [] } as never;
const HOUR = 3_600_000;
const made = { sandbox: { kind: "git" }, steps: [{ status: "done" }] };

interface Known {
  readonly state: TaskState;
  readonly principal?: string;
  readonly document?: JsonObject;
}

function serviceOf(plans: Readonly<Record<string, Known>>) {
  const removed: string[] = [];
  const service = new SandboxService({
    store: {
      async load(taskId) {
        const known = plans[taskId];
        if (known === undefined) return undefined;
        const { state, principal = "me", document = made } = known;
        return { taskId, kind: "plan", state, principal, statusAt: 0, document } as unknown as TaskRow;
      },
    },
    workspace: {
      holdings: async () => [...Object.keys(plans), "orphan"].toReversed(),
      weigh: async () => ({ bytes: 10, files: 1 }),
      heldSince: async () => 5,
    },
    janitor: {
      async remove(planId) {
        removed.push(planId);
        return true;
      },
      keptUntil: ({ statusAt }) => statusAt + 7 * HOUR,
    },
    clock: { now: () => 10 * HOUR },
    host: "here",
  });
  return { service, removed };
}

test("the caller's are listed, those of others, of other hosts and of nobody are not", async () => {
  const { service } = serviceOf({
    b: { state: "working" },
    a: { state: "failed" },
    theirs: { state: "failed", principal: "you" },
    away: { state: "failed", document: { ...made, host: "there" } },
  });
  expect(
    (await service.list(ME)).map(({ planId, removable, keptUntil }) => [planId, removable, keptUntil]),
  ).toEqual([
    ["a", true, 7 * HOUR],
    ["b", false, undefined],
  ]);
});

test.each([
  ["one that is applied", { state: "completed" }, false],
  [
    "one whose step was cut off",
    { state: "failed", document: { ...made, steps: [{ status: "running" }] } },
    true,
  ],
  [
    "one that never began",
    { state: "canceled", document: { ...made, steps: [{ status: "pending" }] } },
    false,
  ],
  [
    "one that changed nothing",
    { state: "failed", document: { ...made, changeset: { digest: "d", summary: { files: 0 } } } },
    false,
  ],
  [
    "one whose changes were rejected",
    { state: "canceled", document: { ...made, changeset: { digest: "d", summary: { files: 2 } } } },
    true,
  ],
] as const)("of plans, %s holds unapplied work: %#", async (_, plan, holds) => {
  const { service } = serviceOf({ plan: plan as Known });
  expect((await service.list(ME))[0]?.unappliedWork).toBe(holds);
});

test("work that was not applied goes only by name; everything else that is over and old enough goes", async () => {
  const { service, removed } = serviceOf({
    applied: { state: "completed" },
    lost: { state: "failed" },
    works: { state: "working" },
  });
  expect(await service.collect(ME, { dryRun: false, olderThanMs: 11 * HOUR })).toEqual([]);
  expect(await service.collect(ME, { dryRun: true })).toMatchObject([{ planId: "applied", removed: false }]);
  expect(removed).toEqual([]);
  expect(await service.collect(ME, { dryRun: false })).toMatchObject([{ planId: "applied", removed: true }]);
  expect(await service.collect(ME, { planId: "lost", dryRun: false })).toMatchObject([
    { planId: "lost", bytes: 10, since: 5, removed: true },
  ]);
  expect(removed).toEqual(["applied", "lost"]);
});
