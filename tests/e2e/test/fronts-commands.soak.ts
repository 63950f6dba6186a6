const _SLOW = 180_000;
const _STEPS = Array.from({ length: 6 }, (_, n) => `sleep 0.5; echo ${n} >> log.txt`);

/** The steps that a command has told as finished, by number. */
const _stepsTold = (progress: string) =>
  [...progress.matchAll(/✓ (\d+) /g)].map(([, number]) => Number(number));
