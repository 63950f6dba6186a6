/** Does something `times` times, at most `width` of them at once. */
export async function inFlight(
  times: number,
  width: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, times) }, lane));
}
