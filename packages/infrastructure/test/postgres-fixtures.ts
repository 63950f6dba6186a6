import type { Clock, Command, Logger, TaskStore } from "@cleveragents/application";
import type { LoggedEvent, TaskEvent } from "@cleveragents/domain";
import { Client } from "pg";
import { openPostgresDatabase, type PostgresDatabaseOptions } from "../src/postgres/index.ts";

export const clock: Clock = { now: () => 1_800_000_000_000 };
export const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

export function open(url: string, more: Partial<PostgresDatabaseOptions> = {}) {
  return openPostgresDatabase({ url, poolSize: 4, connectTimeoutMs: 20_000, clock, logger, ...more });
}

/** What a statement answers, on a connection of its own. */
export async function ask<Row extends object>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/**
 * Takes everything out of the stores' tables, which are small: making their files anew would take longer. A store that
 * a test has left behind may still be writing: what a group locks first is locked first here too, for as long.
 */
export async function emptied(url: string): Promise<void> {
  const tables = [
    "task_documents, task_events, task_artifacts, task_inbox, task_messages, tasks, task_counts, shared_documents",
    "registry_entries, sessions, changesets, api_keys, commit_groups, graph_checkpoints, graph_writes",
  ];
  const names = tables.flatMap((line) => line.split(", "));
  const emptying = names.map((name) => `delete from ${name}`);
  // One text of several statements is one transaction.
  await ask(url, ["lock table commit_groups in exclusive mode", ...emptying].join("; "));
}

export function plan(taskId: string, more: Partial<Command> = {}): Command {
  return { taskId, create: { contextId: "context", principal: "anna", kind: "plan" }, ...more };
}

export function chunk(text: string, append = true): TaskEvent {
  return {
    type: "artifact",
    artifact: { artifactId: "x", parts: [{ kind: "text", text }] },
    append,
    lastChunk: false,
  };
}

export async function logOf(tasks: TaskStore, taskId: string): Promise<readonly LoggedEvent[]> {
  const log: LoggedEvent[] = [];
  for (;;) {
    const page = await tasks.events(taskId, log.at(-1)?.seq ?? 0);
    if (page.length === 0) return log;
    log.push(...page);
  }
}
