/**
 * Like `Promise.all` over `items.map`, with at most `limit` under way; the answers keep the order of the items. After a
 * failure nothing more is begun, and it is thrown when nothing is under way any more.
 */
export async function mapLimit<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers = new Array<R>(items.length);
  let next = 0;
  const lane = async () => {
    try {
      for (let at = next++; at < items.length; at = next++) answers[at] = await work(items[at] as T); // at < length
    } catch (error) {
      next = items.length;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, lane));
  for (const lane of ended) if (lane.status === "rejected") throw lane.reason;
  return answers;
}
