import type {
  CheckpointFilter,
  CheckpointPlace,
  CheckpointWrite,
  GraphCheckpoint,
  GraphCheckpoints,
  StoredCheckpoint,
} from "@cleveragents/application";

/** Checkpoints of one process, gone with it. */
export class InMemoryGraphCheckpoints implements GraphCheckpoints {
  readonly #checkpoints = new Map<string, GraphCheckpoint>();
  readonly #writes = new Map<string, Map<string, CheckpointWrite>>();

  async put(checkpoint: GraphCheckpoint): Promise<void> {
    this.#checkpoints.set(keyOf(checkpoint), structuredClone(checkpoint));
  }

  async putWrites(
    place: CheckpointPlace,
    writes: readonly CheckpointWrite[],
    replace: boolean,
  ): Promise<void> {
    const key = keyOf(place);
    const there = this.#writes.get(key) ?? new Map<string, CheckpointWrite>();
    this.#writes.set(key, there);
    for (const write of writes) {
      const of = JSON.stringify([write.task, write.index]);
      if (replace || !there.has(of)) there.set(of, structuredClone(write));
    }
  }

  async get(
    place: Omit<CheckpointPlace, "id"> & { readonly id?: string | undefined },
  ): Promise<StoredCheckpoint | undefined> {
    const [found] = await this.list({ ...place, limit: 1 });
    return found;
  }

  async list({
    thread,
    namespace,
    id,
    before,
    limit,
  }: CheckpointFilter): Promise<readonly StoredCheckpoint[]> {
    return [...this.#checkpoints]
      .filter(
        ([, one]) =>
          (thread === undefined || one.thread === thread) &&
          (namespace === undefined || one.namespace === namespace) &&
          (id === undefined || one.id === id) &&
          (before === undefined || one.id < before),
      )
      .sort(([, a], [, b]) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0))
      .slice(0, limit)
      .map(([key, checkpoint]) => structuredClone({ ...checkpoint, writes: this.#writesOf(key) }));
  }

  async remove(thread: string): Promise<void> {
    for (const [key, one] of this.#checkpoints) if (one.thread === thread) this.#checkpoints.delete(key);
    for (const key of this.#writes.keys())
      if ((JSON.parse(key) as string[])[0] === thread) this.#writes.delete(key);
  }

  #writesOf(key: string): CheckpointWrite[] {
    return [...(this.#writes.get(key)?.values() ?? [])].sort((a, b) =>
      a.task === b.task ? a.index - b.index : a.task < b.task ? -1 : 1,
    );
  }
}

function keyOf({ thread, namespace, id }: CheckpointPlace): string {
  return JSON.stringify([thread, namespace, id]);
}
