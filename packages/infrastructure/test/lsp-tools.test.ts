import { describe, expect, test } from "vitest";
import { fakeServer, LspWorld } from "./lsp-fixtures.ts";

const FILES = { "a.txt": "one two\n🎉 bad three\n", "dir/b.txt": "two bad\nbad\n", "c.md": "bad\n" };

describe("the tools of a language server", () => {
  test("are eleven, listed without starting anything, and found by the names of the documents too", async () => {
    await using world = await LspWorld.open(FILES, [fakeServer(["pull"])]);
    const listed = world.adapter.list();
    expect(listed.map(({ name }) => name)).toEqual([
      "lsp/diagnostics",
      "lsp/hover",
      "lsp/definition",
      "lsp/references",
      "lsp/completions",
      "lsp/signature",
      "lsp/symbols",
      "lsp/workspace-symbols",
      "lsp/rename",
      "lsp/code-actions",
      "lsp/format",
    ]);
    const dotted = listed.flatMap(({ aliases = [] }) => aliases.filter((name) => name.startsWith("lsp.")));
    expect(dotted.sort()).toEqual(
      "code_action completion definition diagnostics hover references rename signature_help"
        .split(" ")
        .map((name) => `lsp.${name}`),
    );
    for (const { inputSchema } of listed) expect(inputSchema).toMatchObject({ type: "object" });
    expect(world.started).toHaveLength(0);
    expect(await world.ask("lsp.hover", { path: "a.txt", line: 1, symbol: "two" })).toMatchObject({
      contents: "**two**",
    });
    expect(world.demanded).toMatchObject([{ kind: "lsp", name: "local/fake" }]);
  });

  test("count lines and characters from 1, whichever way the server counts", async () => {
    for (const encoding of ["utf-8", "utf-16", "utf-32"]) {
      await using world = await LspWorld.open(FILES, [fakeServer(["pull", encoding])]);
      expect(await world.ask("lsp/diagnostics", { path: "a.txt" })).toMatchObject({
        files: [{ path: "a.txt", diagnostics: [{ line: 2, character: 3, end_line: 2, end_character: 6 }] }],
        errors: 1,
        stale: false,
      });
      expect(await world.ask("lsp/hover", { path: "a.txt", line: 2, character: 7 })).toMatchObject({
        contents: "**three**",
      });
    }
  });

  test("take a folder for all files in it that somebody serves", async () => {
    await using world = await LspWorld.open(FILES, [fakeServer(["push", "severity-0"])]);
    const { value, summary } = await world.call("lsp/diagnostics", {});
    expect(value).toMatchObject({ checked: 2, errors: 3, total: 3, stale: false });
    expect(summary).toBe("2 files: 3 errors, 0 warnings");
    expect(await world.ask("lsp/diagnostics", { path: "dir" })).toMatchObject({ checked: 1, errors: 2 });
  });

  test("find places, and give the lines that are there", async () => {
    await using world = await LspWorld.open(FILES, [fakeServer(["pull"])]);
    await world.call("lsp/diagnostics", {});
    expect(await world.ask("lsp/references", { path: "dir/b.txt", line: 1, symbol: "bad" })).toMatchObject({
      total: 3,
      locations: expect.arrayContaining([
        { path: "a.txt", line: 2, character: 3, end_line: 2, end_character: 6, text: "🎉 bad three" },
      ]),
    });
    expect(await world.ask("lsp/definition", { path: "a.txt", symbol: "three" })).toMatchObject({
      locations: [{ path: "a.txt", line: 2, character: 7 }],
    });
    expect(await world.ask("lsp/symbols", { path: "dir/b.txt" })).toMatchObject({
      symbols: [{ name: "two", kind: "variable", line: 1 }, { name: "bad" }, { name: "bad", line: 2 }],
    });
    expect(await world.ask("lsp/workspace-symbols", { query: "three" })).toMatchObject({
      symbols: [{ name: "three", kind: "function", path: "a.txt", line: 2, character: 7 }],
    });
    expect(await world.ask("lsp/completions", { path: "a.txt", line: 1, character: 1 })).toMatchObject({
      items: [
        { label: "alpha", kind: "variable", detail: "first" },
        { label: "beta", kind: "function" },
      ],
    });
    expect(await world.ask("lsp/signature", { path: "a.txt", line: 1, character: 1 })).toEqual({
      signatures: [{ label: "f(a, b)", parameters: ["a", "b"], documentation: "calls f" }],
      active_signature: 0,
      active_parameter: 1,
    });
  });

  test("say what is wrong with a place, and what is there", async () => {
    await using world = await LspWorld.open(FILES, [fakeServer(["pull"])]);
    const refused = (args: Record<string, string | number>, text: string) =>
      expect(world.call("lsp/hover", args)).rejects.toThrow(text);
    await refused({ path: "a.txt", line: 9, character: 1 }, "line: a.txt has 3 lines");
    await refused({ path: "a.txt", line: 1, character: 99 }, "character: line 1 of a.txt has 7 characters");
    await refused({ path: "a.txt", line: 1, symbol: "nine" }, '"nine" is not on line 1 of a.txt: one two');
    await refused({ path: "dir/b.txt", symbol: "bad" }, "more than once; say which line: 1, 2");
    await refused({ path: "a.txt" }, "say where: `line` and `character`, or `symbol`");
    await refused({ path: "../../etc/passwd", line: 1, character: 1 }, "leads out of the sandbox");
    await refused({ path: "gone.txt", line: 1, character: 1 }, "gone.txt does not exist");
    await refused(
      { path: "c.md", line: 1, character: 1 },
      "no language server serves markdown (c.md); add one",
    );
  });

  test("offer what the server offers, and what its document lets through", async () => {
    await using world = await LspWorld.open(FILES, [
      fakeServer(["no-format"], { capabilities: ["format", "hover"] }),
    ]);
    await expect(world.call("lsp/format", { path: "a.txt" })).rejects.toMatchObject({
      reason: "LSP_UNSUPPORTED",
    });
    await expect(world.call("lsp/rename", { path: "a.txt", symbol: "one", new_name: "x" })).rejects.toThrow(
      "local/fake is registered without the capability rename",
    );
  });
});

describe("edits of a language server", () => {
  test("rename a word in all files, also behind an emoji", async () => {
    for (const modes of [["pull"], ["pull", "utf-8", "plain-changes"]]) {
      await using world = await LspWorld.open(FILES, [fakeServer(modes)]);
      await world.call("lsp/diagnostics", {});
      const { value, summary } = await world.call("lsp/rename", {
        path: "a.txt",
        line: 2,
        symbol: "bad",
        new_name: "gut",
      });
      expect(value).toEqual({
        files: [
          { path: "a.txt", change: "changed" },
          { path: "dir/b.txt", change: "changed" },
        ],
        total: 2,
      });
      expect(summary).toBe("renamed to gut: 2 files changed");
      expect(await world.read("a.txt")).toBe("one two\n🎉 gut three\n");
      expect(await world.ask("lsp/diagnostics", {})).toMatchObject({ errors: 0, stale: false });
    }
  });

  test("are refused as a whole where one of them leads out of the project, or is of an older text", async () => {
    for (const [mode, reason] of [
      ["edits-outside", "LSP_EDIT_REFUSED"],
      ["old-edits", "LSP_EDIT_STALE"],
    ] as const) {
      await using world = await LspWorld.open(FILES, [fakeServer(["pull", mode])]);
      const renaming = world.call("lsp/rename", { path: "a.txt", symbol: "one", new_name: "uno" });
      await expect(renaming).rejects.toMatchObject({ reason });
      expect(await world.read("a.txt")).toBe(FILES["a.txt"]);
    }
  });

  test("are made by number, by title and by command, and formatting is one of them", async () => {
    await using world = await LspWorld.open({ "a.txt": "bad  \n" }, [fakeServer(["push"])]);
    expect(await world.ask("lsp/code-actions", { path: "a.txt", line: 1 })).toMatchObject({
      actions: [
        { number: 1, title: "Replace bad", kind: "quickfix", preferred: true },
        { number: 2, title: "By command", kind: "refactor" },
        { number: 3, title: "By command alone" },
      ],
    });
    await world.call("lsp/code-actions", { path: "a.txt", line: 1, apply: 1 });
    expect(await world.read("a.txt")).toBe("good  \n");
    await world.call("lsp/code-actions", { path: "a.txt", apply: "By command" });
    expect(await world.read("a.txt")).toBe("by command\ngood  \n");
    await world.call("lsp/format", { path: "a.txt" });
    expect(await world.read("a.txt")).toBe("by command\ngood\n");
    await expect(world.call("lsp/code-actions", { path: "a.txt", apply: 3 })).rejects.toMatchObject({
      reason: "LSP_NOTHING_TO_DO",
    });
    await expect(world.call("lsp/code-actions", { path: "a.txt", apply: "Fly" })).rejects.toThrow(
      "there are: 1. Replace bad; 2. By command",
    );
  });

  test("are none while nothing may change", async () => {
    await using world = await LspWorld.open(FILES, [fakeServer(["pull"])]);
    const readOnly = { readOnly: true };
    const rename = { path: "a.txt", symbol: "one", new_name: "x" };
    await expect(world.call("lsp/rename", rename, readOnly)).rejects.toMatchObject({ reason: "READ_ONLY" });
    await expect(world.call("lsp/code-actions", { path: "a.txt", apply: 1 }, readOnly)).rejects.toMatchObject(
      { reason: "LSP_EDIT_REFUSED" },
    );
    expect(await world.ask("lsp/code-actions", { path: "a.txt" }, readOnly)).toMatchObject({ total: 3 });
  });
});
