import { expect, test } from "vitest";
import type { SessionStore } from "../ports/session-store.ts";
import { SessionService } from "./session-service.ts";

const anna = { id: "anna", scopes: [] };

function service(status: "open" | "closed") {
  const done: string[] = [];
  const sessions = {
    find: async () => ({ sessionId: "s1", principal: "anna", status }),
    close: async (id: string) => void done.push(`closed ${id}`),
  } as unknown as SessionStore; // closing takes nothing else of it
  const service = new SessionService({
    sessions,
    registry: { find: async () => undefined, list: async () => [] },
    clock: { now: () => 0 },
    ids: { next: () => "id" },
    environments: {
      stop: async (whose) => void done.push(`stopped ${JSON.stringify(whose)}`),
    },
  });
  return { service, done };
}

test("a session that is closed stops what runs for its plans, once it is closed", async () => {
  const { service: sessions, done } = service("open");
  await sessions.close(anna as never, "s1");
  expect(done).toEqual(["closed s1", 'stopped {"contextId":"s1"}']);
});

test("closing it again does nothing", async () => {
  const { service: sessions, done } = service("closed");
  await sessions.close(anna as never, "s1");
  expect(done).toEqual([]);
});
