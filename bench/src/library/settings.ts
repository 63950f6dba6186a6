const positive = (name: string, otherwise: number): number => {
  const value = Number(process.env[name] ?? otherwise);
  if (!(value > 0)) throw new RangeError(`${name} is a number above 0`);
  return value;
};

export const settings = {
  /** Rounds of which the median counts. */
  rounds: Math.ceil(positive("BENCH_ROUNDS", 5)),
  /** Below 1, the rows that work on large amounts take that part of them and say so. */
  scale: positive("BENCH_SCALE", 1),
  /** A directory that every child leaves its CPU profile in. */
  profiles: process.env["BENCH_PROFILE"],
};

/** An amount at the present scale, and what a line must say if it is not the whole. */
export function scaled(amount: number): number {
  return Math.max(1, Math.round(amount * settings.scale));
}

export function scaleNote(): string | undefined {
  return settings.scale === 1 ? undefined : `scaled by ${settings.scale}`;
}
