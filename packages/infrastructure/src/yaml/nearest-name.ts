/** The known name that was most likely meant, if one is near enough to be worth mentioning. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const farthest = Math.max(1, Math.floor(given.length / 3));
  const near = known
    .map((name) => ({ name, distance: distance(given.toLowerCase(), name.toLowerCase()) }))
    .filter((candidate) => candidate.distance <= farthest)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one to the other. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (cells: readonly number[], k: number): number => cells[k] ?? 0;
      let best = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
