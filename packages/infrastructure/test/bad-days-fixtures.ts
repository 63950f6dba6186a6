import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { TaskStore } from "@cleveragents/application";
import { chunk, open, plan } from "./sqlite-fixtures.ts";

export const PAGE = 4096;

/** A store with a life behind it: plans with long logs, large documents, artifacts, inboxes, a registry, a session. */
export async function lived(path: string, tasks = 12, close = true) {
  const database = await open(path);
  for (let n = 0; n < tasks; n += 1) {
    const taskId = `task-${String(n).padStart(3, "0")}`;
    await database.tasks.commit(
      plan(taskId, {
        document: { contextId: "context", principal: "anna", n, text: "d".repeat(n % 3 === 0 ? 9000 : 700) },
        events: [
          {
            key: "created",
            event: {
              type: "status",
              state: "submitted",
              received: { messageId: `m-${n}`, role: "user", parts: [{ kind: "text", text: "do it" }] },
              domain: { name: "plan.created", data: { action: "local/act", project: "local/p" } },
            },
          },
        ],
        claimMessage: { principal: "anna", messageId: `m-${n}` },
        inbox: { add: [{ key: "guide:1", body: { text: "mind the gap" } }] },
      }),
    );
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const event = i % 5 === 0 ? working(taskId, i) : chunk(`${taskId} ${i} ${"x".repeat(200)}`);
        return database.tasks.commit({ taskId, events: [{ key: `k${i}`, event }] });
      }),
    );
    if (n % 4 === 3)
      await database.tasks.commit({
        taskId,
        events: [{ key: "end", event: { type: "status", state: "completed" } }],
      });
  }
  await database.registry.add({
    kind: "action",
    name: "local/act",
    document: { a: 1 },
    createdAt: 1,
    updatedAt: 1,
  });
  await database.sessions.create({
    sessionId: "s",
    principal: "anna",
    status: "created",
    createdAt: 1,
    updatedAt: 1,
  });
  if (close) await database.close();
  return database;
}

function working(taskId: string, n: number) {
  return {
    type: "status" as const,
    state: "working" as const,
    message: {
      messageId: `${taskId}-${n}`,
      role: "agent" as const,
      parts: [{ kind: "text" as const, text: `at ${n}` }],
    },
  };
}

/** Roots of tables and indexes. */
export function roots(path: string): ReadonlyMap<string, number> {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("select name, rootpage from sqlite_schema where rootpage > 0").all();
  database.close();
  return new Map(rows.map(({ name, rootpage }) => [String(name), Number(rootpage)]));
}

export function overwrite(path: string, from: number, to: number, byte = 0xa5): void {
  const bytes = readFileSync(path);
  bytes.fill(byte, from, Math.min(to, bytes.length));
  writeFileSync(path, bytes);
}

/** Pages of leaves that belong to a table, found by what their first cell holds. */
export function pagesWith(path: string, text: string): readonly number[] {
  const bytes = readFileSync(path);
  const found: number[] = [];
  for (let page = 1; page * PAGE <= bytes.length; page += 1) {
    const content = bytes.subarray((page - 1) * PAGE, page * PAGE);
    if (content[0] === 0x0d && content.includes(text)) found.push(page);
  }
  return found;
}

export async function whole(tasks: TaskStore, taskId: string) {
  return {
    snapshot: await tasks.snapshot(taskId, { artifacts: true }),
    log: await tasks.events(taskId, 0, 1000),
    inbox: await tasks.inbox(taskId),
  };
}
