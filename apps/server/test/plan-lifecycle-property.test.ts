import type { Command, TaskStore } from "@cleveragents/application";
import {
  canAdvance,
  canReopen,
  canRetry,
  canRevert,
  isFinalStage,
  isTerminal,
  MAX_REVERSIONS,
  type Plan,
  type PlanStage,
} from "@cleveragents/domain";
import { RemoteError } from "@cleveragents/protocol";
import { atRest } from "@cleveragents/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Altered } from "./altered-server.ts";
import { type LightWorkspace, openLight } from "./light-workspace.ts";

const SCRIPTS = {
  plain: `
  decisions: [{ id: way, question: Which way?, choose: [{ choice: left }] }]
  steps: [{ write: { path: "PLAN", content: "{{ decisions.way }}" } }, { decide: { id: end, question: How?, choose: [{ choice: so }] } }]`,
  asking: `
  steps:
    - name: answer
      ask: { question: Go on?, options: [{ id: so }, { id: otherwise }] }
    - write: { path: "PLAN", content: "{{ results.answer.choice }}" }`,
  flaky: `
  steps:
    - write: { path: "PLAN", content: x }
    - run: { command: "{{ attempt == 1 ? 'false' : 'true' }}" }`,
  guided: `
  decisions: [{ id: way, question: Which way?, choose: [{ when: 'size(guidance) > 0', choice: guided }, { choice: alone }] }]
  steps: [{ write: { path: "PLAN", content: "{{ decisions.way }}" } }]`,
  parted: `
  steps:
    - subplan:
        mode: parallel
        plans: [{ id: one, action: part, arguments: { path: "PLAN" } }, { id: two, action: part, arguments: { path: "PLAN" } }]`,
  asked: `
  steps:
    - subplan: { plans: [{ id: asks, action: asking, arguments: { path: "PLAN" } }] }`,
  empty: "\n  steps: [{ say: { text: nothing to do } }]",
} as const;
/** What subplans do; each writes the file of the plan that it is part of. */
const PARTS = [
  ["part", `[{ write: { path: "{{ args.path }}", content: x } }]`],
  [
    "asking",
    `[{ ask: { question: Go on?, options: [{ id: so }] } }, { write: { path: "{{ args.path }}", content: y } }]`,
  ],
  ["nothing", "[{ say: { text: nothing } }]"],
].map(
  ([name, steps]) =>
    `name: ${name}\ndescription: x\ndefinition_of_done: x\narguments: [{ name: path, default: "" }]\nscript: { steps: ${steps} }`,
);
const PROFILES = ["manual", "supervised", "trusted", "auto", "ci"] as const;

type Act =
  | {
      readonly kind: "use";
      readonly script: keyof typeof SCRIPTS;
      readonly profile: (typeof PROFILES)[number];
    }
  | { readonly kind: "crash" }
  | { readonly kind: "rest"; readonly plan: number }
  | { readonly kind: "calls"; readonly plan: number; readonly calls: readonly Call[] };

const CALLS = {
  execute: (client, plan_id) => client.call("_cleveragents/plan/execute", { plan_id }),
  approve: (client, plan_id) => client.call("_cleveragents/plan/approve", { plan_id }),
  so: (client, plan_id) => client.call("_cleveragents/plan/approve", { plan_id, option: "so" }),
  reject: (client, plan_id) => client.call("_cleveragents/plan/reject", { plan_id, reason: "no" }),
  apply: (client, plan_id) => client.call("_cleveragents/plan/apply", { plan_id }),
  cancel: (client, plan_id) => client.call("_cleveragents/plan/cancel", { plan_id }),
  theirs: (client, plan_id) => client.call("_cleveragents/plan/approve", { plan_id, option: "theirs" }),
  child: async (client, plan_id) => {
    const { children = [] } = await client.call("_cleveragents/plan/status", { plan_id });
    const asking = children.find(({ waiting_for }) => waiting_for !== undefined)?.plan_id;
    if (asking !== undefined)
      await client.call("_cleveragents/plan/approve", { plan_id: asking, option: "so" });
  },
  endChild: async (client, plan_id) => {
    const { children = [] } = await client.call("_cleveragents/plan/status", { plan_id });
    const running = children.find(({ status }) => status === "running")?.plan_id;
    if (running !== undefined) await client.call("_cleveragents/plan/cancel", { plan_id: running });
  },
  append: (client, plan_id) =>
    client.call("_cleveragents/plan/correct", {
      plan_id,
      mode: "append",
      guidance: "more",
      action_name: "nothing",
    }),
  cancelTask: (client, id) => client.call("CancelTask", { id }),
  again: (client, plan_id) => client.call("_cleveragents/plan/revert", { plan_id, reason: "again" }),
  redo: (client, plan_id) => client.call("_cleveragents/plan/revert", { plan_id, to_phase: "execute" }),
} satisfies Record<string, (client: Altered["client"], planId: string) => Promise<unknown>>;
type Call = keyof typeof CALLS;

const call = fc.constantFrom(...(Object.keys(CALLS) as Call[]));
const plan = fc.nat(5);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("use" as const),
      script: fc.constantFrom(...(Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[])),
      profile: fc.constantFrom(...PROFILES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("rest" as const), plan }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("calls" as const),
      plan,
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    }),
  },
);

/** Whether one commit may take a plan from one stage to another. */
function leads(from: PlanStage, to: PlanStage): boolean {
  const key = (stage: PlanStage) => `${stage.phase}/${stage.state}`;
  if (key(from) === key(to) || canAdvance(from, to)) return true;
  if (to.state === "queued" && from.phase === to.phase && canRetry(from)) return true;
  if (to.state === "queued" && canRevert(from, to.phase)) return true;
  if (canReopen(from) && key(to) === "execute/complete") return true;
  // What is passed through without a stop is one commit.
  const through: Record<string, readonly string[]> = {
    "execute/processing": ["apply/queued", "apply/applied"],
    "strategize/queued": ["strategize/failed"],
    "strategize/processing": ["strategize/failed"],
    "execute/queued": ["execute/failed"],
  };
  return (through[key(from)] ?? []).includes(key(to)) || (to.state === "failed" && !isFinalStage(from));
}

/** A store that looks at every change of a plan's stage as it is committed. */
function watched(store: TaskStore, illegal: string[]): TaskStore {
  const stages = new Map<string, PlanStage>();
  const commit = async (command: Command) => {
    const committed = await store.commit(command);
    const document = command.document as unknown as Plan | undefined;
    if (document === undefined) return committed;
    const from = stages.get(command.taskId);
    if (from !== undefined && !leads(from, document.stage))
      illegal.push(`${from.phase}/${from.state} -> ${document.stage.phase}/${document.stage.state}`);
    if ((document.reversions ?? 0) > MAX_REVERSIONS) illegal.push(`${document.reversions} reversions`);
    stages.set(command.taskId, document.stage);
    return committed;
  };
  return new Proxy(store, {
    get(target, key) {
      if (key === "commit") return commit;
      const member: unknown = Reflect.get(target, key);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

const ALLOWED =
  /^(INVALID_STATE|ANSWER_MISMATCH|NOTHING_TO_ANSWER|TASK_NOT_CANCELABLE|PLAN_NOT_FOUND|VALIDATION_FAILED|DIGEST_MISMATCH)$/;

async function play(server: Altered, acts: readonly Act[]): Promise<readonly string[]> {
  const plans: string[] = [];
  const seen = new Map<string, number>();
  for (const did of acts) {
    const planId = did.kind === "calls" || did.kind === "rest" ? plans[did.plan % plans.length] : undefined;
    if (did.kind === "use")
      plans.push(
        await server.plan(SCRIPTS[did.script].replaceAll("PLAN", `plan-${plans.length}.txt`), did.profile),
      );
    else if (did.kind === "crash") await server.killAndStart();
    else if (planId !== undefined && did.kind === "rest") await resting(server, planId);
    else if (planId !== undefined && did.kind === "calls") {
      const outcomes = await Promise.allSettled(did.calls.map((name) => CALLS[name](server.client, planId)));
      for (const outcome of outcomes)
        if (outcome.status === "rejected")
          expect(RemoteError.is(outcome.reason) ? outcome.reason.reason : String(outcome.reason)).toMatch(
            ALLOWED,
          );
    }
    for (const known of plans) await staysOver(server, known, seen);
  }
  for (const planId of plans) {
    await resting(server, planId);
    await staysOver(server, planId, seen);
  }
  await childrenFollow(server, plans);
  return plans;
}

/** Until it is over or somebody is asked, be it one that it has started. */
async function resting({ client }: Altered, plan_id: string): Promise<void> {
  for (;;) {
    const { task_state, children = [] } = await client.call("_cleveragents/plan/status", { plan_id });
    if (/COMPLETED|FAILED|CANCELED|REJECTED|INPUT_REQUIRED/.test(task_state)) return;
    if (children.some(({ waiting_for }) => waiting_for !== undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** What a plan that is over has started is over too, and each that counts was started once. */
async function childrenFollow(server: Altered, plans: readonly string[]): Promise<void> {
  for (const parent of plans) {
    const { plans: listed } = await server.client.call("_cleveragents/plan/list", { parent, page_size: 500 });
    const over = isTerminal((await server.machine.adapters.store.load(parent))?.state ?? "working");
    for (const { plan_id } of listed) {
      if (over) await atRest(server.client, plan_id);
      const row = await server.machine.adapters.store.load(plan_id);
      if (over) expect(isTerminal(row?.state ?? "working"), `${plan_id} of ${parent}`).toBe(true);
      expect(row?.state === "completed" ? (row.document as unknown as Plan).handedOver : "").toBeDefined();
    }
  }
}

/** A plan that is over takes nothing more. */
async function staysOver(server: Altered, planId: string, seen: Map<string, number>): Promise<void> {
  const row = await server.machine.adapters.store.load(planId);
  if (row === undefined || !isTerminal(row.state)) return;
  expect(isFinalStage((row.document as unknown as Plan).stage)).toBe(true);
  expect(seen.get(planId) ?? row.lastSeq, `log of ${planId}`).toBe(row.lastSeq);
  seen.set(planId, row.lastSeq);
}

/** The log tells of every decision once, and of no other; what is applied is in the project, and nothing else is. */
async function agrees(server: Altered, plans: readonly string[], disk: LightWorkspace): Promise<void> {
  const { store } = server.machine.adapters;
  const applied: string[] = [];
  for (const [n, planId] of plans.entries()) {
    const row = await store.load(planId);
    const document = row?.document as unknown as Plan;
    const told: unknown[] = [];
    for (
      let page = await store.events(planId, 0);
      page.length > 0;
      page = await store.events(planId, page.at(-1)?.seq ?? 0)
    )
      for (const { event } of page)
        if (event.domain?.name === "decision.created") told.push(event.domain.data?.["decision_id"]);
    expect(told.sort()).toEqual(document.decisions.map(({ decisionId }) => decisionId).sort());
    const ids = new Set(told);
    for (const { parentId, supersededBy } of document.decisions) {
      if (parentId !== null) expect(ids).toContain(parentId);
      if (supersededBy !== undefined) expect(ids).toContain(supersededBy);
    }
    if (
      row?.state === "completed" &&
      document.changeset !== undefined &&
      document.changeset.summary.files > 0
    )
      applied.push(`plan-${n}.txt`);
    if (row?.state !== "completed") expect(document.stage.state).not.toBe("applied");
  }
  expect([...disk.project.keys()].sort()).toEqual(applied.sort());
}

test("whatever is done to plans, by whomever at once, and however often the agent dies, their states follow the tables", {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
      const illegal: string[] = [];
      await using server = await openLight(undefined, {}, ({ store }) => ({
        store: watched(store, illegal),
      }));
      for (const document of PARTS)
        await server.client.call("_cleveragents/registry/action/add", { document });
      const plans = await play(server, acts);
      expect(illegal).toEqual([]);
      await agrees(server, plans, server.disk);
    }),
    { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 12), interruptAfterTimeLimit: 200_000 },
  );
});

test("of ten callers who answer one plan at once differently one is heard, and the others are told so", async () => {
  await using server = await openLight();
  const { client } = server;
  const plan_id = await server.plan(SCRIPTS.plain.replaceAll("PLAN", "a.txt"));
  await atRest(client, plan_id);
  const calls = Array.from({ length: 10 }, (_, n) =>
    n % 2 === 0
      ? client.call("_cleveragents/plan/cancel", { plan_id, reason: `for ${n}` })
      : client.call("_cleveragents/plan/reject", { plan_id, reason: `for ${n}` }),
  );
  const outcomes = await Promise.allSettled(calls);
  const won = outcomes.filter(({ status }) => status === "fulfilled");
  expect(won.length).toBeGreaterThanOrEqual(1);
  expect(won.length).toBeLessThanOrEqual(2); // an answer that is in time is heard, also if a cancel overtakes it
  for (const outcome of outcomes)
    if (outcome.status === "rejected") {
      expect(RemoteError.is(outcome.reason) && outcome.reason.reason).toMatch(ALLOWED);
      expect(RemoteError.is(outcome.reason) && outcome.reason.message).not.toBe("");
    }
  expect(await atRest(client, plan_id)).toMatchObject({ state: "cancelled" });
});
