import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeLanguageServer } from "../services/fake-language-server-command.ts";
import { createRepository } from "../world/repository.ts";
import type { OpenWorld, World } from "../world/world.ts";
import { refusals } from "./refusals.ts";

/** Language servers, besides what holds of everything that is registered. */
export function lspContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open();
    const gone = await createRepository("plain");
    await shared.client.call("_cleveragents/registry/project/add", { name: "gone", path: gone.root });
    await gone[Symbol.asyncDispose]();
    await writeFile(path.join(shared.repository.root, "notes.txt"), "one bad\n");
    const { command, args } = fakeLanguageServer("push");
    await add("fake", command, args, true);
    await add("untrusted", command, args, false);
    await add("missing", "no-such-language-server", [], true);
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  async function add(name: string, command: string, args: readonly string[], trust: boolean): Promise<void> {
    const document = JSON.stringify({ name, language: "plain", file_patterns: ["*.txt"], command, args });
    await shared.client.call("_cleveragents/registry/lsp/add", { document, trust });
  }

  describe("_cleveragents/registry/lsp/test", () => {
    test("says what a server offers and thinks of a file of the project, and that nothing of it is left", async () => {
      const tested = await world().client.call("_cleveragents/registry/lsp/test", {
        name: "fake",
        project: "demo",
      });
      expect(tested).toMatchObject({
        name: "local/fake",
        server: { name: "fake", version: "1.0" },
        capabilities: expect.arrayContaining(["diagnostics", "hover", "rename"]),
        position_encoding: "utf-16",
        diagnostics: "push",
        tried: { path: "notes.txt", errors: 1, warnings: 0, stale: false },
        left_running: 0,
      });
    });

    refusals("_cleveragents/registry/lsp/test", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/lsp/test", {} as never),
      },
      EntryNotFound: {
        "a server that nobody has registered": {
          reason: "LSP_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/lsp/test", { name: "nobody" }),
        },
        "a project that nobody has registered": {
          reason: "PROJECT_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/registry/lsp/test", { name: "fake", project: "nothing" }),
        },
      },
      WorkspaceUnusable: {
        "a project whose folder is gone": {
          reason: "PATH_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/registry/lsp/test", { name: "fake", project: "gone" }),
        },
      },
      TrustRequired: {
        "a server that nobody trusts": ({ client }) =>
          client.call("_cleveragents/registry/lsp/test", { name: "untrusted" }),
      },
      ToolServerFailed: {
        "a server whose command is not there": {
          reason: "LSP_NOT_STARTED",
          attempt: ({ client }) => client.call("_cleveragents/registry/lsp/test", { name: "missing" }),
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["registry:read"]).client.call("_cleveragents/registry/lsp/test", { name: "fake" }),
      },
    });
  });
}
