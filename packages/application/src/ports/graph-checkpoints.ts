/** Something in the words of a graph's engine, which alone reads it: how it is written, and the text. */
export interface Serialized {
  readonly kind: string;
  readonly text: string;
}

/** Of one graph: its thread, a part of it (`""` is the whole), and a checkpoint. Ids are in the order in which they were made. */
export interface CheckpointPlace {
  readonly thread: string;
  readonly namespace: string;
  readonly id: string;
}

export interface GraphCheckpoint extends CheckpointPlace {
  readonly parent: string | undefined;
  readonly checkpoint: Serialized;
  readonly metadata: Serialized;
}

/** What a task of a graph has answered before its step was over. */
export interface CheckpointWrite {
  readonly task: string;
  readonly index: number;
  readonly channel: string;
  readonly value: Serialized;
}

export interface StoredCheckpoint extends GraphCheckpoint {
  /** By task, then by index. */
  readonly writes: readonly CheckpointWrite[];
}

export interface CheckpointFilter {
  readonly thread?: string | undefined;
  readonly namespace?: string | undefined;
  readonly id?: string | undefined;
  /** Only those with a smaller id. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

/** Where graphs keep how far they have come. Each call is a transaction of its own, durable when it resolves. */
export interface GraphCheckpoints {
  /** The same place again replaces what is there. */
  put(checkpoint: GraphCheckpoint): Promise<void>;
  /** All or none. Of the same task and index again, `replace` says which one counts: the new one, or the first. */
  putWrites(place: CheckpointPlace, writes: readonly CheckpointWrite[], replace: boolean): Promise<void>;
  /** The newest one of a thread's part where no id is named. */
  get(
    place: Omit<CheckpointPlace, "id"> & { readonly id?: string | undefined },
  ): Promise<StoredCheckpoint | undefined>;
  /** Newest first. */
  list(filter: CheckpointFilter): Promise<readonly StoredCheckpoint[]>;
  /** All of a thread, in all of its parts. */
  remove(thread: string): Promise<void>;
}
