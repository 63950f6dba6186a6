import {
  type Decision,
  downstreamOf,
  type Plan,
  restartBefore,
  stands,
  takenBack,
  undoneWith,
} from "@cleveragents/domain";
import fc from "fast-check";
import { expect, test } from "vitest";

type Kind = "choice" | "said" | "rule" | "step";
interface Grown {
  readonly kind: Kind;
  /** Which of the decisions before it is its parent, and which it looks at, as parts of their number. */
  readonly parent: number;
  readonly looksAt: readonly number[];
  readonly step: number;
}

const grown: fc.Arbitrary<Grown> = fc.record({
  kind: fc.constantFrom<Kind>("choice", "choice", "said", "rule", "step"),
  parent: fc.double({ min: 0, max: 0.999, noNaN: true }),
  looksAt: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 2 }),
  step: fc.nat(4),
});
const part = fc.double({ min: 0, max: 0.999, noNaN: true });

const TYPES = {
  choice: "strategy_choice",
  said: "user_intervention",
  rule: "invariant_enforced",
  step: "implementation_choice",
} as const;

/** A plan as plans grow: each decision has a parent that stands, invariants hang on the root. */
function planOf(all: readonly Grown[]): Plan {
  const decisions: Decision[] = [decision("d0", null, "prompt_definition", 1)];
  for (const { kind, parent, looksAt, step } of all) {
    const id = `d${decisions.length}`;
    const at = (of: number) => decisions[Math.floor(of * decisions.length)]?.decisionId ?? "d0";
    const choices = decisions.filter(({ type }) => type !== "invariant_enforced");
    const above = kind === "rule" ? "d0" : (choices[Math.floor(parent * choices.length)]?.decisionId ?? "d0");
    decisions.push({
      ...decision(id, above, TYPES[kind], decisions.length + 1),
      ...(kind === "step" ? { phase: "execute" as const, step } : {}),
      ...(kind === "rule" || looksAt.length === 0 ? {} : { dependsOn: looksAt.map(at) }),
    });
  }
  const steps = [0, 1, 2, 3, 4];
  return {
    planId: "p",
    script: {
      decisions: [],
      steps: steps.map((n) => ({ kind: "say", name: `s${n}`, value: { text: "x" } })),
    },
    stage: { phase: "execute", state: "complete" },
    attempt: 1,
    steps: steps.map((index) => ({
      index,
      label: "x",
      kind: "say",
      status: "done",
      checkpoint: `t${index}`,
    })),
    results: Object.fromEntries(steps.map((n) => [`s${n}`, n])),
    guidance: decisions.flatMap(({ type, chosen }) => (type === "user_intervention" ? [chosen] : [])),
    decisions,
    toolCalls: 0,
  } as unknown as Plan;
}

function decision(
  decisionId: string,
  parentId: string | null,
  type: Decision["type"],
  sequence: number,
): Decision {
  const chosen = `${decisionId} chosen`;
  return {
    decisionId,
    planId: "p",
    parentId,
    type,
    question: "?",
    chosen,
    alternatives: [],
    confidence: 1,
    sequence,
    phase: "strategize",
    attempt: 1,
    createdAt: 0,
    context: {},
  };
}

function corrected(plan: Plan, of: number): { readonly target: Decision; readonly back: Plan } | undefined {
  const standing = plan.decisions.filter((each) => stands(each) && each.type !== "invariant_enforced");
  const target = standing[Math.floor(of * standing.length)];
  if (target === undefined) return undefined;
  const parent = target.parentId ?? "d0";
  const id = `d${plan.decisions.length}`;
  const instead = {
    ...decision(id, parent, "user_intervention", plan.decisions.length + 1),
    corrects: target.decisionId,
  };
  return {
    target,
    back: takenBack(plan, restartBefore(target), undoneWith(plan.decisions, target), instead, instead.chosen),
  };
}

test("however a plan is corrected, again and again, what stands hangs on what stands, and what was upstream is as it was", () => {
  fc.assert(
    fc.property(
      fc.array(grown, { maxLength: 25 }),
      fc.array(part, { minLength: 1, maxLength: 4 }),
      (all, targets) => {
        let plan = planOf(all);
        for (const of of targets) {
          const done = corrected(plan, of);
          if (done === undefined) return;
          const { target, back } = done;
          const before = new Map(plan.decisions.map((each) => [each.decisionId, each]));
          const standing = new Set(back.decisions.filter(stands).map(({ decisionId }) => decisionId));
          // One root, which stands; everything that stands hangs on what stands, and looks at nothing that was undone.
          expect(back.decisions.filter(({ parentId }) => parentId === null).map(stands)).toEqual([true]);
          for (const { decisionId, parentId, dependsOn = [], type } of back.decisions) {
            if (!standing.has(decisionId) || parentId === null) continue;
            expect(standing, decisionId).toContain(parentId);
            if (type !== "invariant_enforced")
              for (const from of dependsOn)
                if (before.get(from)?.supersededBy === undefined) expect(standing).toContain(from);
          }
          // Nothing is lost or made up, and nothing but the mark of what is undone has changed.
          expect(back.decisions).toHaveLength(plan.decisions.length + 1);
          for (const each of back.decisions.slice(0, -1)) {
            const { supersededBy, ...rest } = each;
            const { supersededBy: earlier, ...was } = before.get(each.decisionId) as Decision;
            expect(rest).toEqual(was);
            if (earlier !== undefined) expect(supersededBy).toBe(earlier);
          }
          // What the target follows from is upstream, and stays; the target and what follows from it do not.
          const below = new Set(
            downstreamOf(plan.decisions, target.decisionId).map(({ decisionId }) => decisionId),
          );
          for (
            let up = before.get(target.parentId ?? "");
            up !== undefined;
            up = before.get(up.parentId ?? "")
          )
            if (!below.has(up.decisionId)) expect(standing).toContain(up.decisionId);
          if (target.parentId !== null) expect(standing).not.toContain(target.decisionId);
          // Steps, results and guidance agree with what stands.
          expect(Object.keys(back.results).length).toBe(
            back.steps.filter(({ status }) => status === "done").length,
          );
          const said = back.decisions.filter((each) => stands(each) && each.type === "user_intervention");
          expect([...back.guidance].sort()).toEqual(said.map(({ chosen }) => chosen).sort());
          expect(back).toMatchObject({ attempt: plan.attempt + 1, stage: { state: "queued" } });
          plan = { ...back, steps: plan.steps, results: plan.results, stage: plan.stage };
        }
      },
    ),
    { numRuns: 300 },
  );
});
