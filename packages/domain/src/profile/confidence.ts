/** What is known of a plan when a gate is reached. */
export interface ConfidenceFacts {
  /** The weakest of the decisions that stand, 0 to 1. */
  readonly decisions: number;
  /** Earlier plans of the same action: applied, and given up or rejected. */
  readonly past: { readonly succeeded: number; readonly failed: number };
  /** Files that it changes or is to change, and how many of them earlier plans of the project have changed. */
  readonly files: { readonly total: number; readonly known: number };
  readonly risk: RiskFacts;
  readonly invariants: number;
}

export interface RiskFacts {
  readonly commands: number;
  readonly deletions: number;
  /** Notes on a changeset: links, executables, binaries. */
  readonly notes: number;
}

export interface ConfidenceFactor {
  readonly name: "past_success" | "familiarity" | "low_risk" | "few_invariants";
  readonly weight: number;
  /** 0 to 1. */
  readonly value: number;
  readonly why: string;
}

export interface Confidence {
  /** 0 to 1: the weighted sum of the factors, and never more than the weakest decision. */
  readonly value: number;
  readonly factors: readonly ConfidenceFactor[];
  readonly decisions: number;
  readonly explanation: string;
}

/** How sure it is that a plan may go on without a human. What is not known yet counts for a half, not for nothing. */
export function confidenceFrom(facts: ConfidenceFacts): Confidence {
  const { past, files, risk, invariants } = facts;
  const factors: ConfidenceFactor[] = [
    {
      name: "past_success",
      weight: 0.3,
      value: share(past.succeeded, past.succeeded + past.failed),
      why: `${past.succeeded} of ${past.succeeded + past.failed} earlier plans of this action were applied`,
    },
    {
      name: "familiarity",
      weight: 0.2,
      value: share(files.known, files.total),
      why: `${files.known} of ${files.total} files were changed by earlier plans of this project`,
    },
    {
      name: "low_risk",
      weight: 0.3,
      value: round(1 - riskOf(risk)),
      why: `${risk.commands} commands, ${risk.deletions} deletions, ${risk.notes} notes on the changes`,
    },
    {
      name: "few_invariants",
      weight: 0.2,
      value: round(1 - Math.min(1, invariants / 10)),
      why: `${invariants} invariants to keep`,
    },
  ];
  const sum = round(factors.reduce((total, { weight, value }) => total + weight * value, 0));
  const value = Math.min(sum, facts.decisions);
  const parts = factors.map((factor) => `${factor.weight} × ${factor.value} ${factor.name}`).join(" + ");
  const explanation =
    value < sum ? `${value}: the weakest decision; else ${sum} = ${parts}` : `${value} = ${parts}`;
  return { value, factors, decisions: facts.decisions, explanation };
}

/** One success and one failure are assumed, so that little experience counts for little. */
function share(some: number, all: number): number {
  return round((some + 1) / (all + 2));
}

function riskOf({ commands, deletions, notes }: RiskFacts): number {
  return Math.min(1, 0.05 * commands + 0.1 * deletions + 0.1 * notes);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
