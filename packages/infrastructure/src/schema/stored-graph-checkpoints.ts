import type {
  CheckpointFilter,
  CheckpointPlace,
  CheckpointWrite,
  GraphCheckpoint,
  GraphCheckpoints,
  StoredCheckpoint,
} from "@cleveragents/application";
import { fromColumnText, toColumnText } from "./column-text.ts";
import type { StoreQueries } from "./store-queries.ts";
import type { GraphCheckpointsTable, GraphWritesTable } from "./tables.ts";

/** Checkpoints of graphs in a database; their content is text that only the graphs' engine reads. */
export class StoredGraphCheckpoints implements GraphCheckpoints {
  readonly #database: StoreQueries;

  constructor(database: StoreQueries) {
    this.#database = database;
  }

  async put({ thread, namespace, id, parent, checkpoint, metadata }: GraphCheckpoint): Promise<void> {
    const content = {
      parent_id: parent === undefined ? null : toColumnText(parent),
      kind: checkpoint.kind,
      content: toColumnText(checkpoint.text),
      metadata_kind: metadata.kind,
      metadata: toColumnText(metadata.text),
    };
    await this.#database.change(
      this.#database.queries
        .insertInto("graph_checkpoints")
        .values({ ...keyOf({ thread, namespace, id }), ...content })
        .onConflict((oc) => oc.columns(["thread", "namespace", "checkpoint_id"]).doUpdateSet(content)),
    );
  }

  async putWrites(
    place: CheckpointPlace,
    writes: readonly CheckpointWrite[],
    replace: boolean,
  ): Promise<void> {
    if (writes.length === 0) return;
    const rows = writes.map(
      ({ task, index, channel, value }): GraphWritesTable => ({
        ...keyOf(place),
        task: toColumnText(task),
        ordinal: index,
        channel: toColumnText(channel),
        kind: value.kind,
        content: toColumnText(value.text),
      }),
    );
    await this.#database.change(
      this.#database.queries
        .insertInto("graph_writes")
        .values(rows)
        .onConflict((oc) => {
          const same = oc.columns(["thread", "namespace", "checkpoint_id", "task", "ordinal"]);
          return replace
            ? same.doUpdateSet(({ ref }) => ({
                channel: ref("excluded.channel"),
                kind: ref("excluded.kind"),
                content: ref("excluded.content"),
              }))
            : same.doNothing();
        }),
    );
  }

  async get({
    thread,
    namespace,
    id,
  }: Omit<CheckpointPlace, "id"> & { readonly id?: string | undefined }): Promise<
    StoredCheckpoint | undefined
  > {
    const [found] = await this.list({ thread, namespace, id, limit: 1 });
    return found;
  }

  async list({
    thread,
    namespace,
    id,
    before,
    limit,
  }: CheckpointFilter): Promise<readonly StoredCheckpoint[]> {
    let query = this.#database.queries.selectFrom("graph_checkpoints").selectAll();
    if (thread !== undefined) query = query.where("thread", "=", toColumnText(thread));
    if (namespace !== undefined) query = query.where("namespace", "=", toColumnText(namespace));
    if (id !== undefined) query = query.where("checkpoint_id", "=", toColumnText(id));
    if (before !== undefined) query = query.where("checkpoint_id", "<", toColumnText(before));
    query = query.orderBy("checkpoint_id", "desc").orderBy("thread").orderBy("namespace");
    const rows = await this.#database.rows(limit === undefined ? query : query.limit(limit));
    return Promise.all(rows.map(async (row) => toCheckpoint(row, await this.#writesOf(row))));
  }

  async remove(thread: string): Promise<void> {
    // What is left behind where it dies in between belongs to nothing, and goes with the next try.
    const of = toColumnText(thread);
    await this.#database.change(this.#database.queries.deleteFrom("graph_writes").where("thread", "=", of));
    await this.#database.change(
      this.#database.queries.deleteFrom("graph_checkpoints").where("thread", "=", of),
    );
  }

  async #writesOf({
    thread,
    namespace,
    checkpoint_id,
  }: GraphCheckpointsTable): Promise<readonly GraphWritesTable[]> {
    return this.#database.rows(
      this.#database.queries
        .selectFrom("graph_writes")
        .selectAll()
        .where("thread", "=", thread)
        .where("namespace", "=", namespace)
        .where("checkpoint_id", "=", checkpoint_id)
        .orderBy("task")
        .orderBy("ordinal"),
    );
  }
}

function keyOf({ thread, namespace, id }: CheckpointPlace) {
  return {
    thread: toColumnText(thread),
    namespace: toColumnText(namespace),
    checkpoint_id: toColumnText(id),
  };
}

function toCheckpoint(row: GraphCheckpointsTable, writes: readonly GraphWritesTable[]): StoredCheckpoint {
  return {
    thread: fromColumnText(row.thread),
    namespace: fromColumnText(row.namespace),
    id: fromColumnText(row.checkpoint_id),
    parent: row.parent_id === null ? undefined : fromColumnText(row.parent_id),
    checkpoint: { kind: row.kind, text: fromColumnText(row.content) },
    metadata: { kind: row.metadata_kind, text: fromColumnText(row.metadata) },
    writes: writes.map(({ task, ordinal, channel, kind, content }) => ({
      task: fromColumnText(task),
      index: Number(ordinal),
      channel: fromColumnText(channel),
      value: { kind, text: fromColumnText(content) },
    })),
  };
}
