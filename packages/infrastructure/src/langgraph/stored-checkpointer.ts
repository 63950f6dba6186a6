import type { GraphCheckpoints, Serialized, StoredCheckpoint } from "@cleveragents/application";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  copyCheckpoint,
  maxChannelVersion,
  type PendingWrite,
  TASKS,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";

interface Configurable {
  readonly thread_id?: string;
  readonly checkpoint_ns?: string;
  readonly checkpoint_id?: string;
}

/** LangGraph's checkpoints in a store of ours. */
export class StoredCheckpointer extends BaseCheckpointSaver {
  readonly #store: GraphCheckpoints;
  /** What counts as the newest checkpoint of the whole graph, where that is for somebody else to say. */
  #head: { id: string | undefined } | undefined;

  constructor(store: GraphCheckpoints) {
    super();
    this.#store = store;
  }

  /**
   * Stands at a checkpoint, and at those that follow from it: what other processes have put meanwhile, or ones that died,
   * is not seen.
   */
  static at(store: GraphCheckpoints, id: string | undefined): StoredCheckpointer {
    const saver = new StoredCheckpointer(store);
    saver.#head = { id };
    return saver;
  }

  get head(): string | undefined {
    return this.#head?.id;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id, checkpoint_ns = "", checkpoint_id } = of(config);
    if (thread_id === undefined) return undefined;
    const head = checkpoint_ns === "" && checkpoint_id === undefined ? this.#head : undefined;
    if (head !== undefined && head.id === undefined) return undefined;
    const id = checkpoint_id ?? head?.id;
    const found = await this.#store.get({
      thread: thread_id,
      namespace: checkpoint_ns,
      ...(id === undefined ? {} : { id }),
    });
    return found && this.#tuple(found);
  }

  override async *list(
    config: RunnableConfig,
    { limit, before, filter = {} }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id } = of(config);
    const wanted = Object.entries(filter);
    const found = await this.#store.list({
      thread: thread_id,
      namespace: checkpoint_ns,
      id: checkpoint_id,
      before: before && of(before).checkpoint_id,
      limit: wanted.length === 0 ? limit : undefined,
    });
    let given = 0;
    for (const one of found) {
      if (limit !== undefined && given >= limit) return;
      const tuple = await this.#tuple(one);
      const metadata = (tuple.metadata ?? {}) as Record<string, unknown>;
      if (!wanted.every(([key, value]) => metadata[key] === value)) continue;
      given++;
      yield tuple;
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const { thread_id, checkpoint_ns = "", checkpoint_id } = of(config);
    if (thread_id === undefined) throw new Error("a checkpoint needs a thread");
    await this.#store.put({
      thread: thread_id,
      namespace: checkpoint_ns,
      id: checkpoint.id,
      parent: checkpoint_id,
      checkpoint: await this.#written(copyCheckpoint(checkpoint)),
      metadata: await this.#written(metadata),
    });
    if (this.#head !== undefined && checkpoint_ns === "") this.#head.id = checkpoint.id;
    return configOf({ thread: thread_id, namespace: checkpoint_ns, id: checkpoint.id });
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread_id, checkpoint_ns = "", checkpoint_id } = of(config);
    if (thread_id === undefined || checkpoint_id === undefined)
      throw new Error("writes need a thread and a checkpoint");
    const rows = await Promise.all(
      writes.map(async ([channel, value], n) => ({
        task: taskId,
        index: WRITES_IDX_MAP[channel] ?? n,
        channel,
        value: await this.#written(value),
      })),
    );
    // What LangGraph says about a task may change; what the task itself has written is said once.
    const replace = writes.every(([channel]) => channel in WRITES_IDX_MAP);
    await this.#store.putWrites(
      { thread: thread_id, namespace: checkpoint_ns, id: checkpoint_id },
      rows,
      replace,
    );
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.#store.remove(threadId);
  }

  async #tuple(found: StoredCheckpoint): Promise<CheckpointTuple> {
    const checkpoint = (await this.#read(found.checkpoint)) as Checkpoint;
    // Before the fourth version what was sent to tasks stood with the checkpoint before.
    if (checkpoint.v < 4 && found.parent !== undefined) await this.#addSends(checkpoint, found, found.parent);
    return {
      config: configOf(found),
      checkpoint,
      metadata: (await this.#read(found.metadata)) as CheckpointMetadata,
      ...(found.parent === undefined ? {} : { parentConfig: configOf({ ...found, id: found.parent }) }),
      pendingWrites: await Promise.all(
        found.writes.map(
          async ({ task, channel, value }): Promise<CheckpointPendingWrite> => [
            task,
            channel,
            await this.#read(value),
          ],
        ),
      ),
    };
  }

  async #addSends(
    checkpoint: Checkpoint,
    { thread, namespace }: StoredCheckpoint,
    parent: string,
  ): Promise<void> {
    const writes = (await this.#store.get({ thread, namespace, id: parent }))?.writes ?? [];
    const sends = writes.filter(({ channel }) => channel === TASKS);
    const versions = Object.values(checkpoint.channel_versions ?? {});
    checkpoint.channel_values ??= {};
    checkpoint.channel_values[TASKS] = await Promise.all(sends.map(({ value }) => this.#read(value)));
    checkpoint.channel_versions ??= {};
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  async #written(value: unknown): Promise<Serialized> {
    const [kind, bytes] = await this.serde.dumpsTyped(value);
    const buffer = Buffer.from(bytes);
    return { kind, text: kind === "json" ? buffer.toString("utf8") : buffer.toString("base64") };
  }

  async #read({ kind, text }: Serialized): Promise<unknown> {
    return this.serde.loadsTyped(kind, kind === "json" ? text : Buffer.from(text, "base64"));
  }
}

function of(config: RunnableConfig): Configurable {
  return (config.configurable ?? {}) as Configurable;
}

function configOf({
  thread,
  namespace,
  id,
}: {
  readonly thread: string;
  readonly namespace: string;
  readonly id: string;
}): RunnableConfig {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}
