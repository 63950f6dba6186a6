import { access } from "node:fs/promises";
import type { Workspace } from "@cleveragents/application";
import { atRest, seen } from "@cleveragents/testing";
import { expect, test } from "vitest";
import { openAltered } from "./altered-server.ts";

const TOUCH = "  steps: [{ write: { path: touched.txt, content: x } }]\n";
const LONG = "  steps:\n    - write: { path: touched.txt, content: x }\n    - run: { command: sleep 600 }\n";

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** The workspace, which remembers where its sandboxes are; `made` is waited for when one has been made. */
function watched(workspace: Workspace, roots: string[], made?: () => Promise<unknown>): Workspace {
  return new Proxy(workspace, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (key !== "create") return value.bind(target);
      return async (...args: Parameters<Workspace["create"]>) => {
        const sandbox = await workspace.create(...args);
        roots.push(sandbox.root);
        await made?.();
        return sandbox;
      };
    },
  });
}

test.each([
  ["waits for an answer", TOUCH],
  ["runs a command", LONG],
])(
  "the sandbox of a plan that is cancelled while it %s is removed, also if the process dies right then",
  async (_, script) => {
    const roots: string[] = [];
    let dying = false;
    let wake = async (_taskId: string) => {};
    await using server = await openAltered(({ workspace, engine }) => {
      wake = (taskId) => engine.signal(taskId);
      const lives = roots.length === 0;
      const mine = watched(workspace, roots);
      return {
        workspace: new Proxy(mine, {
          get(target, key) {
            const value: unknown = Reflect.get(target, key, target);
            // What the process that dies still meant to do with the sandbox it never does.
            return key === "open" && lives && dying ? () => new Promise(() => undefined) : value;
          },
        }),
      };
    });
    const { client } = server;
    const plan_id = await server.plan(script);
    if (script === TOUCH) await atRest(client, plan_id);
    else await seen(client, plan_id, "tool.invoked", (data) => data["tool"] === "builtin/shell");
    const [root = ""] = roots;
    expect(await isThere(root)).toBe(true);
    dying = true;
    await client.call("_cleveragents/plan/cancel", { plan_id });
    await server.killAndStart();
    const woken = async () => {
      await wake(plan_id); // a plan that waits looks by itself after a while only
      return isThere(root);
    };
    await expect.poll(woken, { timeout: 18_000 }).toBe(false);
  },
);

test("a sandbox that is finished just when its plan is cancelled is removed", async () => {
  const roots: string[] = [];
  const cancelled = Promise.withResolvers<void>();
  await using server = await openAltered(({ workspace }) => ({
    workspace: watched(workspace, roots, () => cancelled.promise),
  }));
  const plan_id = await server.plan(TOUCH);
  await expect.poll(() => roots).toHaveLength(1);
  await server.client.call("_cleveragents/plan/cancel", { plan_id });
  cancelled.resolve();
  await expect.poll(() => isThere(roots[0] ?? ""), { timeout: 5000 }).toBe(false);
});

test("a product that is stopped right after a cancellation stops in peace", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", note);
  try {
    await using server = await openAltered();
    const plan_id = await server.plan(LONG);
    await seen(server.client, plan_id, "tool.invoked", (data) => data["tool"] === "builtin/shell");
    await server.client.call("_cleveragents/plan/cancel", { plan_id });
    await server.composition.stop(0);
    await server.machine.adapters.store.close();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});
