import type { Pair } from "./measurement.ts";
import { settings } from "./settings.ts";

export interface RoundsOptions {
  readonly rounds?: number;
  /** Rounds before the first that counts. */
  readonly warmUp?: number;
}

type Half = () => number | Promise<number>;

/** Measures both in turn, round by round; who begins alternates. Tells its progress on stderr. */
export async function interleave(
  name: string,
  ours: Half,
  rival: Half,
  { rounds = settings.rounds, warmUp = 1 }: RoundsOptions = {},
): Promise<readonly Pair[]> {
  const pairs: Pair[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const first = round % 2 === 0;
    const early = await (first ? ours() : rival());
    const late = await (first ? rival() : ours());
    const pair = first ? { ours: early, rival: late } : { ours: late, rival: early };
    const label = round < 0 ? "warm-up" : `round ${round + 1} of ${rounds}`;
    progress(`${name}: ${label}: ${pair.ours.toPrecision(4)} against ${pair.rival.toPrecision(4)}`);
    if (round >= 0) pairs.push(pair);
  }
  return pairs;
}

export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Milliseconds that something takes. */
export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
