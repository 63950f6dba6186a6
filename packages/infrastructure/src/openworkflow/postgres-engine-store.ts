import type { Backend } from "openworkflow/internal";
import { BackendPostgres } from "openworkflow/postgres";
import { connectPostgres, ENGINE_SCHEMA, type PostgresPlace } from "./connect-postgres.ts";
import type { EngineStore } from "./engine-store.ts";
import { migrateEngine } from "./migrate-engine.ts";
import { overlay } from "./overlay.ts";
import { withDeadline } from "./with-deadline.ts";

export interface PostgresEngineStoreOptions extends PostgresPlace {
  /** Whose runs these are: a worker takes up those of its own namespace only. */
  readonly namespace: string;
  readonly poolSize: number;
}

/** A connection that died without a word would keep a call for as long as TCP takes to notice. */
const ANSWER_WITHIN_MS = 10_000;

type Sql = ReturnType<typeof connectPostgres>;

/** Opens the engine's schema in a PostgreSQL database, and makes its tables if they are not there. */
export async function openPostgresEngineStore(options: PostgresEngineStoreOptions): Promise<EngineStore> {
  const { namespace, poolSize } = options;
  await migrateEngine(options);
  const sql = connectPostgres(options, poolSize);
  const backendOf = (namespaceId: string) =>
    BackendPostgres.fromPool(
      sql as unknown as Parameters<typeof BackendPostgres.fromPool>[0], // its type names one set of options
      { namespaceId, schema: ENGINE_SCHEMA },
    );
  const own = backendOf(namespace);
  const backend = overlay(own, {
    // Who answers a plan may be another host than the one that carries it out.
    async sendSignal(params) {
      const workflowRunIds: string[] = [];
      for (const place of await waitingFor(sql, params.signal)) {
        const elsewhere = place === namespace ? own : backendOf(place);
        workflowRunIds.push(...(await elsewhere.sendSignal(params)).workflowRunIds);
      }
      return { workflowRunIds };
    },
  } satisfies Partial<Backend>);
  return withDeadline(
    {
      backend,
      async findRunId(workflowName, idempotencyKey) {
        const [row] = await sql`
          SELECT "id" FROM ${sql(ENGINE_SCHEMA)}."workflow_runs"
          WHERE "namespace_id" = ${namespace} AND "workflow_name" = ${workflowName}
            AND "idempotency_key" = ${idempotencyKey}
          ORDER BY "created_at", "id" LIMIT 1`;
        return row === undefined ? undefined : String(row["id"]);
      },
      async removeEnded(before, limit) {
        // Steps go with their run; signals have no tie to it.
        const removed = await sql`
          WITH "ended" AS (
            SELECT "id" FROM ${sql(ENGINE_SCHEMA)}."workflow_runs"
            WHERE "namespace_id" = ${namespace} AND "status" IN ('completed', 'succeeded', 'failed', 'canceled')
              AND "created_at" < ${before} AND "finished_at" < ${before}
            ORDER BY "created_at" LIMIT ${limit}
          ), "signals" AS (
            DELETE FROM ${sql(ENGINE_SCHEMA)}."workflow_signals"
            WHERE "namespace_id" = ${namespace} AND "workflow_run_id" IN (SELECT "id" FROM "ended")
          )
          DELETE FROM ${sql(ENGINE_SCHEMA)}."workflow_runs"
          WHERE "namespace_id" = ${namespace} AND "id" IN (SELECT "id" FROM "ended")`;
        return removed.count;
      },
      close: () => sql.end({ timeout: 2 }),
    },
    ANSWER_WITHIN_MS,
  );
}

/** Namespaces in which something waits for this signal; an index of OpenWorkflow holds all that waits. */
async function waitingFor(sql: Sql, signal: string): Promise<string[]> {
  const rows = await sql`
    SELECT DISTINCT "namespace_id" FROM ${sql(ENGINE_SCHEMA)}."step_attempts"
    WHERE "kind" = 'signal-wait' AND "status" = 'running' AND "context"->>'signal' = ${signal}`;
  return rows.map((row) => String(row["namespaceId"]));
}
