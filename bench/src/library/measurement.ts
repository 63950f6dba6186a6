import { median } from "./median.ts";

/** What one round measured of both, one right after the other. */
export interface Pair {
  readonly ours: number;
  readonly rival: number;
}

/** One line on stdout. `ratio` is ours divided by the rival's. */
export interface Measurement {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly rival: number;
  readonly rivalName: string;
  readonly ratio: number;
  readonly goal: string;
  readonly met: boolean;
  /** What a reader must know to compare this line with another run's. */
  readonly note?: string;
}

export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly rivalName: string;
  /** `>= 2` where more is better, `<= 2` where less is. */
  readonly goal: `${">=" | "<="} ${number}`;
  readonly note?: string | undefined;
}

/** The ratio is the median of the rounds' ratios: what disturbs a round disturbs both of its halves. */
export function compare(pairs: readonly Pair[], { note, ...comparison }: Comparison): Measurement {
  const ratio = median(pairs.map(({ ours, rival }) => ours / rival));
  const [operator, bound] = comparison.goal.split(" ");
  return {
    name: comparison.name,
    unit: comparison.unit,
    ours: rounded(median(pairs.map(({ ours }) => ours))),
    rival: rounded(median(pairs.map(({ rival }) => rival))),
    rivalName: comparison.rivalName,
    ratio: rounded(ratio),
    goal: comparison.goal,
    met: operator === ">=" ? ratio >= Number(bound) : ratio <= Number(bound),
    ...(note === undefined ? {} : { note }),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
