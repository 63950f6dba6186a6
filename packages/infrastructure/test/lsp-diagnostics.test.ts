import { TrustRequiredError } from "@cleveragents/application";
import { describe, expect, test } from "vitest";
import { fakeServer, LspWorld } from "./lsp-fixtures.ts";

const BAD = { "a.txt": "bad\n" };
const SOON = { diagnostics_timeout: 0.4 };

describe("diagnostics", () => {
  test("are pushed where nothing can be asked, come from the push where an asked server stays silent, and stay until newer ones come", async () => {
    await using pushing = await LspWorld.open(BAD, [fakeServer(["push"])]);
    expect(await pushing.ask("lsp/diagnostics", { path: "a.txt" })).toMatchObject({
      errors: 1,
      stale: false,
    });

    await using silent = await LspWorld.open(BAD, [fakeServer(["pull-silent", "push"], SOON)]);
    expect(await silent.ask("lsp/diagnostics", { path: "a.txt" })).toMatchObject({ errors: 1, stale: false });

    await using once = await LspWorld.open(BAD, [fakeServer(["push", "push-once"], SOON)]);
    for (const _ of [1, 2])
      expect(await once.ask("lsp/diagnostics", { path: "a.txt" })).toMatchObject({ errors: 1, stale: false });
    await once.write("a.txt", "good\n");
    // Nothing newer came: what was there is said, and that it is of another text.
    expect(await once.call("lsp/diagnostics", { path: "a.txt" })).toMatchObject({
      value: { errors: 1, stale: true, files: [{ stale: true }] },
      summary: "a.txt: not judged yet (known so far: 1 error, 0 warnings)",
    });
  });

  test("of an older text are stale, and silence is never no problems", async () => {
    await using late = await LspWorld.open({ "a.txt": "good\n" }, [fakeServer(["push", "push-late"], SOON)]);
    expect(await late.call("lsp/diagnostics", { path: "a.txt" })).toMatchObject({
      value: { errors: 0, stale: true },
      summary: "a.txt: not judged yet (nothing is known)",
    });
    await late.write("a.txt", "bad\n");
    expect(await late.ask("lsp/diagnostics", { path: "a.txt" })).toMatchObject({
      stale: true,
      files: [{ diagnostics: [{ message: "of the text before" }] }],
    });
  });

  test("are waited for until no more come, also from a server that says no versions", async () => {
    for (const push of ["push", "push-without-versions"]) {
      await using world = await LspWorld.open(BAD, [fakeServer([push, "push-twice"])], { settleMs: 400 });
      expect(await world.ask("lsp/diagnostics", { path: "a.txt" })).toMatchObject({
        errors: 1,
        stale: false,
      });
    }
  });

  test("are waited for while a server that says no versions is too busy to answer, and are stale when time is over", async () => {
    const modes = ["push-without-versions", "push-busy"];
    await using world = await LspWorld.open(BAD, [fakeServer(modes)]);
    expect(await world.ask("lsp/diagnostics", { path: "a.txt" })).toMatchObject({ errors: 1, stale: false });
    await using hasty = await LspWorld.open(BAD, [fakeServer(modes, SOON)]);
    expect(await hasty.ask("lsp/diagnostics", { path: "a.txt" })).toMatchObject({ errors: 0, stale: true });
  });

  test("are known of a server too that is silent when nothing is wrong for the second time", async () => {
    const server = fakeServer(["push-without-versions", "push-news"], SOON);
    await using world = await LspWorld.open({ "a.txt": "good\n", "b.txt": "good\n" }, [server]);
    for (const [text, errors] of [
      ["good\n", 0],
      ["fine\n", 0],
      ["bad\n", 1],
      ["fine\n", 0],
    ] as const) {
      await world.write("a.txt", text);
      expect(await world.ask("lsp/diagnostics", {})).toMatchObject({ errors, stale: false });
    }
  });

  test("follow every change of the files, whoever makes it, and servers are told of what they asked for", async () => {
    const server = fakeServer(["dynamic"]);
    await using world = await LspWorld.open({ ...BAD, "other.md": "x" }, [server]);
    expect(await world.ask("lsp/diagnostics", { path: "a.txt" })).toMatchObject({ errors: 1 });
    await world.write("a.txt", "good\n");
    await world.write("b.txt", "bad bad\n");
    await world.write("package.json", "{}");
    await world.write("other.md", "y");
    expect(await world.ask("lsp/diagnostics", {})).toMatchObject({ checked: 2, errors: 2, stale: false });
    const told = (await world.log(server)).flatMap(([what, changes]) => (what === "files" ? [changes] : []));
    expect(told).toEqual([
      [
        { uri: expect.stringMatching(/\/a\.txt$/), type: 2 },
        { uri: expect.stringMatching(/\/b\.txt$/), type: 1 },
        { uri: expect.stringMatching(/\/package\.json$/), type: 1 },
      ],
    ]);
  });

  test("of a folder come from those who may be asked, and one that nobody trusts is named with what to do", async () => {
    const trusted = fakeServer(["pull"]);
    const other = fakeServer(["pull"], { name: "local/other", language: "python", file_patterns: ["*.py"] });
    const demand = async ({ name }: { readonly name: string }) => {
      if (name === "local/other") throw new TrustRequiredError("lsp", name, "sha256:1", false);
    };
    await using world = await LspWorld.open({ "a.txt": "one bad\n", "b.py": "bad\n" }, [trusted, other], {
      trust: { demand },
    });
    const { files, errors } = await world.ask("lsp/diagnostics", { path: "." });
    expect(errors).toBe(1);
    expect(files).toMatchObject([
      { path: "a.txt", server: "local/fake" },
      { path: "b.py", stale: true, failure: expect.stringContaining("agents trust add lsp local/other") },
    ]);
    await expect(world.ask("lsp/diagnostics", { path: "b.py" })).rejects.toMatchObject({
      reason: "TRUST_REQUIRED",
    });
  });

  test("are found under whichever spelling of a file the server answers with", async () => {
    const name = "dir #1/a b#c%ü?.txt";
    await using world = await LspWorld.open({ [name]: "bad\n" }, [fakeServer(["push", "other-spelling"])]);
    expect(await world.ask("lsp/diagnostics", { path: name })).toMatchObject({
      stale: false,
      files: [{ path: name, diagnostics: [{ line: 1, character: 1 }] }],
    });
    expect(await world.ask("lsp/references", { path: name, symbol: "bad" })).toMatchObject({
      locations: [{ path: name }],
    });
  });
});
