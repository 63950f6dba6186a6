import type { Session } from "@cleveragents/domain";
import { expect, test } from "vitest";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { SessionCloser } from "./session-closer.ts";
import { SessionService } from "./session-service.ts";

const anna = { id: "anna", scopes: [] };
const logger = { debug() {}, info() {}, warn() {}, error() {} };

function service(status: Session["status"], stop: () => Promise<void> = async () => undefined) {
  const done: string[] = [];
  let session: Session = { sessionId: "s1", principal: "anna", status, createdAt: 0, updatedAt: 0 };
  const sessions = {
    find: async () => session,
    closing: async () => (session.status === "closing" ? [session] : []),
    async replace(_: Session, after: Session) {
      session = after;
      done.push(after.status);
      return true;
    },
  } as unknown as SessionStore; // closing takes nothing else of it
  const store = { list: async () => ({ rows: [], total: 0 }) } as unknown as TaskStore;
  const clock = { now: () => 0 };
  const closer = new SessionCloser({
    sessions,
    store,
    environments: {
      async stop(whose) {
        await stop();
        done.push(`stopped ${JSON.stringify(whose)}`);
      },
    },
    clock,
    logger,
  });
  const registry = { find: async () => undefined, list: async () => [] };
  const ids = { next: () => "id" };
  const service = new SessionService({ sessions, store, registry, closer, clock, ids, closeWithinMs: 20 });
  return { service, closer, done };
}

test("a session that is closed stops what runs for its plans, before it says that it is closed", async () => {
  const { service: sessions, done } = service("active");
  expect((await sessions.close(anna, "s1")).state).toBe("closed");
  expect(done).toEqual(["closing", 'stopped {"contextId":"s1"}', "closed"]);
});

test("closing it again does nothing", async () => {
  const { service: sessions, done } = service("closed");
  await sessions.close(anna, "s1");
  expect(done).toEqual([]);
});

test("what does not end within bounded time goes on to end, and the caller is told that it closes", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { service: sessions, done } = service("active", () => held);
  expect((await sessions.close(anna, "s1")).state).toBe("closing");
  release();
  await expect.poll(() => done).toContain("closed");
});

test("what a process has left closing is closed by the next", async () => {
  const { closer, done } = service("closing");
  await closer.sweep();
  expect(done).toEqual(['stopped {"contextId":"s1"}', "closed"]);
});
