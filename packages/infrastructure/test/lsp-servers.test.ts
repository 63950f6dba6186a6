import { CommandNotStartedError, TrustRequiredError } from "@cleveragents/application";
import { LspBindingSchema } from "@cleveragents/domain";
import { describe, expect, test } from "vitest";
import { fakeServer, LspWorld } from "./lsp-fixtures.ts";

const FILES = { "a.txt": "one bad\n", "b.txt": "two\n" };
const HOVER = { path: "a.txt", line: 1, character: 1 };

/** Settles when nobody of what was started is left. */
const allEnded = async ({ started }: LspWorld) => await Promise.all(started.map(({ ended }) => ended));

describe("a language server", () => {
  test("gets an answer to each of its questions before it serves anything", async () => {
    const server = fakeServer(["dynamic"], { settings: { fake: { level: 3 }, other: 1 } });
    await using world = await LspWorld.open(FILES, [server]);
    expect(await world.ask("lsp/hover", HOVER)).toMatchObject({ contents: "**one**" });
    const log = Object.fromEntries(await world.log(server)) as Record<string, unknown>;
    expect(log).toMatchObject({
      configuration: [{ level: 3 }, null],
      folders: [{ name: "project", uri: expect.stringMatching(/^file:/) }],
      progress: null,
      register: null,
      unknown: { error: { code: -32601 } },
    });
  });

  test("that drops a question is told that nobody waits any more, and goes on being asked", async () => {
    const server = fakeServer(["drop-symbols", "late-references"], { request_timeout: 0.3 });
    await using world = await LspWorld.open(FILES, [server]);
    await world.ask("lsp/hover", HOVER);
    for (const tool of ["lsp/symbols", "lsp/references"])
      await expect(
        world.call(tool, tool === "lsp/symbols" ? { path: "a.txt" } : HOVER),
      ).rejects.toMatchObject({
        reason: "LSP_TIMEOUT",
        message: expect.stringContaining("within 0.3 s"),
      });
    expect(await world.ask("lsp/hover", HOVER)).toMatchObject({ contents: "**one**" });
    expect((await world.log(server)).filter(([what]) => what === "cancel")).toHaveLength(2);
  });

  test("that refuses is quoted without the places of this host", async () => {
    await using world = await LspWorld.open(FILES, [fakeServer(["refuse-definition"])]);
    const refused = await world.call("lsp/definition", HOVER).catch((error: Error) => error);
    expect(refused).toMatchObject({
      reason: "LSP_REFUSED",
      message: "the language server local/fake refused textDocument/definition: nothing in x",
    });
  });

  test("that dies in a call says so with its exit code and last words, is started again with its documents, and given up after five times", async () => {
    const server = fakeServer(["push"]);
    await using world = await LspWorld.open(FILES, [server]);
    await world.ask("lsp/diagnostics", {});
    await world.write("b.txt", "die now\n");
    const dying = () => world.call("lsp/hover", { path: "b.txt", line: 1, character: 1 });
    await expect(dying()).rejects.toMatchObject({
      reason: "LSP_CRASHED",
      message: expect.stringMatching(/ended with exit code 3: .*all too much/),
    });
    expect((await world.log(server)).filter(([what]) => what === "open")).toHaveLength(2);
    for (let count = 0; count < 4; count += 1)
      await expect(dying()).rejects.toMatchObject({ reason: "LSP_CRASHED" });
    await expect(dying()).rejects.toMatchObject({
      reason: "LSP_DISABLED",
      message: expect.stringContaining("is disabled: it has failed 5 times in a row"),
    });
    expect(world.runtime.states()).toEqual([{ name: "local/fake", state: "error" }]);
    await allEnded(world);
  });

  test("that does not start says why: it is not there, it ends at once, it does not answer, nobody trusts it", async () => {
    const failing = async (modes: string[], document: Record<string, unknown>) => {
      await using world = await LspWorld.open(FILES, [fakeServer(modes, document)]);
      const error = await world.call("lsp/hover", HOVER).catch((thrown: Error) => thrown);
      await allEnded(world);
      return error;
    };
    expect(await failing([], { command: "no-such-language-server" })).toMatchObject({
      reason: "LSP_NOT_STARTED",
      message: expect.stringContaining("the command no-such-language-server was not found"),
    });
    expect(await failing(["exit-at-once"], {})).toMatchObject({
      reason: "LSP_CRASHED",
      message: expect.stringContaining("ended with exit code 2: no such option: --stdio"),
    });
    expect(await failing(["exit-printing"], {})).toMatchObject({
      reason: "LSP_CRASHED",
      message: expect.stringContaining("exit code 1: error TS5023: Unknown compiler option '--lsp'."),
    });
    expect(await failing(["hang-at-init"], { start_timeout: 0.5 })).toMatchObject({ reason: "LSP_TIMEOUT" });

    const trust = {
      demand: async () => {
        throw new TrustRequiredError("lsp", "local/fake", "sha256:1", false);
      },
    };
    await using world = await LspWorld.open(FILES, [fakeServer([])], { trust });
    await expect(world.call("lsp/hover", HOVER)).rejects.toMatchObject({
      reason: "TRUST_REQUIRED",
      message: expect.stringContaining("agents trust add lsp local/fake --digest sha256:1"),
    });
    expect(world.started).toHaveLength(0);
  });

  test("may be noisy: banners between its messages, floods on stderr, long answers; an endless one ends it", async () => {
    await using noisy = await LspWorld.open(FILES, [fakeServer(["banner", "flood", "big"])]);
    expect((await noisy.ask("lsp/hover", HOVER)).contents).toHaveLength(4000);
    await using huge = await LspWorld.open(FILES, [fakeServer(["huge"])]);
    await expect(huge.call("lsp/hover", HOVER)).rejects.toMatchObject({
      reason: "LSP_CRASHED",
      message: expect.stringContaining("a message of 9000000000 bytes"),
    });
  });

  test("that ignores every wish to end is ended all the same", async () => {
    await using world = await LspWorld.open(FILES, [fakeServer(["no-shutdown", "no-exit"])]);
    await world.ask("lsp/hover", HOVER);
    await world.runtime.rest("plan");
    await allEnded(world);
    expect(world.runtime.states()).toEqual([]);
  });

  test("keeps secrets of its environment out of its last words", async () => {
    const server = fakeServer(["die-in-hover"], { env: { TOKEN: "very-secret-value" } });
    await using world = await LspWorld.open(FILES, [server]);
    const error = (await world.call("lsp/hover", HOVER).catch((thrown: Error) => thrown)) as Error;
    expect(error.message).toContain("TOKEN=[redacted]");
  });
});

describe("the language servers of a process", () => {
  test("are one per folder, shared by all calls, and stopped when nobody has asked for a while", async () => {
    const server = fakeServer(["pull"], { idle_timeout: 0.2 });
    await using world = await LspWorld.open(FILES, [server]);
    await Promise.all(Array.from({ length: 8 }, () => world.call("lsp/hover", HOVER)));
    expect(world.started).toHaveLength(1);
    await expect.poll(() => world.runtime.states()[0]?.state).toBe("stopped");
    await allEnded(world);
    await world.call("lsp/hover", HOVER);
    expect(world.started).toHaveLength(2);
  });

  test("work on the folder in which something is built, or on the one that is said", async () => {
    const files = { "app/package.json": "{}", "app/src/a.txt": "x", "b.txt": "x" };
    const folderOf = async (document: Record<string, unknown>, file: string) => {
      const server = fakeServer(["pull"], document);
      await using world = await LspWorld.open(files, [server]);
      const [[, params]] = (await world.log(server, file)) as [[string, { rootUri: string }]];
      return decodeURI(params.rootUri).slice(`file://${world.root}`.length);
    };
    expect(await folderOf({ root_markers: ["package.json"] }, "app/src/a.txt")).toBe("/app");
    expect(await folderOf({ root_path: "app/src" }, "b.txt")).toBe("/app/src");
  });

  test("are started for whom they are bound to, and what cannot be started is told of", async () => {
    const servers = [
      fakeServer(["pull"]),
      fakeServer([], {
        name: "local/gone",
        language: "python",
        file_patterns: ["*.py"],
        command: "gone-for-good",
      }),
    ];
    await using world = await LspWorld.open({ ...FILES, "x.py": "" }, servers);
    const place = { planId: "plan", sandbox: world.sandbox, signal: new AbortController().signal };
    const bind = async (raw: unknown) => await world.runtime.activate(LspBindingSchema.parse(raw), place);
    expect(await bind({ server: "fake" })).toMatchObject({ servers: [{ name: "local/fake" }], failed: [] });
    expect(world.started).toHaveLength(1);
    expect(await bind({ mode: "auto" })).toMatchObject({
      servers: [{ name: "local/gone" }],
      failed: [{ server: "local/gone", reason: "LSP_NOT_STARTED" }],
    });
    await expect(bind({ language: "go" })).rejects.toMatchObject({ reason: "LSP_NO_SERVER" });
    const bound = { lsp: LspBindingSchema.parse({ language: "python" }) };
    await expect(world.call("lsp/hover", HOVER, bound)).rejects.toMatchObject({ reason: "LSP_NO_SERVER" });
    const nobody = { lsp: LspBindingSchema.parse({ server: "nobody" }) };
    await expect(world.call("lsp/hover", HOVER, nobody)).rejects.toMatchObject({ reason: "LSP_NO_SERVER" });
  });

  test("are not started on the host for a plan whose commands run in a container", async () => {
    await using world = await LspWorld.open(FILES, [fakeServer(["pull"])]);
    const environment = { kind: "devcontainer", name: "default", planId: "plan", contextId: "c" } as never;
    await expect(world.call("lsp/hover", HOVER, { environment })).rejects.toMatchObject({
      reason: "NOT_AVAILABLE",
      message: expect.stringContaining("dev container default"),
    });
    expect(world.started).toEqual([]);
  });

  test("end with the plan that they were started for, and start nothing once all is closed", async () => {
    await using world = await LspWorld.open(FILES, [fakeServer(["pull"])]);
    await world.call("lsp/hover", HOVER);
    await world.adapter.rest("another plan");
    expect(world.runtime.states()).toMatchObject([{ state: "running" }]);
    await world.adapter.rest("plan");
    await allEnded(world);
    await world.runtime.close();
    await expect(world.call("lsp/hover", HOVER)).rejects.toMatchObject({ reason: "LSP_NOT_STARTED" });
  });

  test("leave a call at once that is cancelled, also while they start", async () => {
    const server = fakeServer(["hang-at-init"]);
    await using world = await LspWorld.open(FILES, [server]);
    const controller = new AbortController();
    const calling = world.call("lsp/hover", HOVER, { signal: controller.signal });
    await expect.poll(() => world.started).toHaveLength(1);
    controller.abort();
    await expect(calling).rejects.toMatchObject({ reason: "CANCELLED" });
  });

  test("are told of a host that starts nothing", async () => {
    const starter = {
      open: async () => {
        throw new CommandNotStartedError("the disk is full");
      },
    };
    await using world = await LspWorld.open(FILES, [fakeServer([])], { starter });
    await expect(world.call("lsp/hover", HOVER)).rejects.toThrow("was not started: the disk is full");
  });
});
