import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ToolError } from "@cleveragents/application";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { confine, type PathPurpose } from "./confine.ts";
import { within } from "./within.ts";

let base: string;
let root: string;
let sandbox: { root: string; projectRoot: string };

beforeAll(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "confine-")));
  root = path.join(base, "root");
  for (const directory of [
    "root/a/b",
    "root/b",
    "root/.git/hooks",
    "root/sub/.git",
    "root-old",
    "project/a",
    "outside",
  ]) {
    mkdirSync(path.join(base, directory), { recursive: true });
  }
  for (const file of ["root/a/f", "root-old/x", "outside/victim", "root/.git/config", "project/a/f"])
    writeFileSync(path.join(base, file), file);
  const links: Record<string, string> = {
    "root/etc": "/etc",
    "root/a/up": "../../root-old",
    "root/inlink": "a/f",
    "root/indir": "a",
    "root/abslink": path.join(root, "a/f"),
    "root/around": "../root/a/f",
    "root/dangling": "nothing/here",
    "root/dangling-out": path.join(base, "outside/new"),
    "root/loop": "loop",
    "root/ping": "pong",
    "root/pong": "ping",
    "root/victim": path.join(base, "outside/victim"),
    "root/gitlink": ".git",
    "root/config": ".git/config",
    "root/two": "victim",
    "root/b/.git": "../a",
    "other-root": "root",
    "other-project": "project",
  };
  for (const [link, target] of Object.entries(links)) symlinkSync(target, path.join(base, link));
  sandbox = { root, projectRoot: path.join(base, "project") };
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

async function outcome(given: string, purpose: PathPurpose = "write", of = sandbox): Promise<string> {
  try {
    return path.relative(root, (await confine(of, given, purpose)).absolute) || ".";
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    expect(error.message, "no host path in a message").not.toContain(base);
    return error.reason;
  }
}

describe("confine: inside", () => {
  it.each([
    ["a/f", "a/f"],
    ["a/new/deep/x", "a/new/deep/x"],
    ["./a/../a/f", "a/f"],
    [".", "."],
    ["..a/ok", "..a/ok"],
    ["a/...", "a/..."],
    [".gitignore", ".gitignore"],
    [".github/workflows/ci.yml", ".github/workflows/ci.yml"],
    ["a/git~10", "a/git~10"],
    ["~/.ssh/id", "~/.ssh/id"],
    ["inlink", "a/f"],
    ["indir/new", "a/new"],
    ["abslink", "a/f"],
    ["around", "a/f"],
    ["ü ñ ", "ü ñ "],
    ['a"b\\c\td', 'a"b\\c\td'],
    ["-rf", "-rf"],
  ])("%j is %j", async (given, expected) => {
    expect(await outcome(given)).toBe(expected);
  });

  it("maps absolute paths of the project, in every spelling of its root", async () => {
    expect(await outcome(path.join(base, "project/a/f"))).toBe("a/f");
    expect(await outcome(path.join(base, "other-project/a/f"))).toBe("a/f");
    expect(
      await outcome(path.join(base, "project/new/x"), "write", {
        root,
        projectRoot: path.join(base, "other-project"),
      }),
    ).toBe("new/x");
    expect(await outcome(path.join(base, "project"), "read")).toBe(".");
  });

  it("maps absolute paths of the sandbox, in every spelling of its root", async () => {
    expect(await outcome(path.join(root, "a/f"))).toBe("a/f");
    expect(await outcome(path.join(base, "other-root/a/f"))).toBe("a/f");
    expect(await outcome("a/f", "write", { ...sandbox, root: path.join(base, "other-root") })).toBe("a/f");
  });

  it("takes a sandbox below the project for the sandbox, not for a part of the project", async () => {
    expect(await outcome(path.join(root, "a/f"), "write", { root, projectRoot: base })).toBe("a/f");
  });

  it("keeps names exactly, composed and decomposed", async () => {
    expect((await confine(sandbox, "caf\u00e9", "write")).name).toBe("caf\u00e9");
    expect((await confine(sandbox, "cafe\u0301", "write")).name).toBe("cafe\u0301");
  });

  it("names the path as it was asked for, not where links lead", async () => {
    expect(await confine(sandbox, "./indir/f", "read")).toMatchObject({
      relative: "indir/f",
      parent: path.join(root, "a"),
      name: "f",
    });
  });
});

describe("confine: refused", () => {
  it.each([
    ["..", "PATH_ESCAPE"],
    ["../root-old/x", "PATH_ESCAPE"],
    ["a/f/../../../outside/victim", "PATH_ESCAPE"],
    ["new/../../outside/victim", "PATH_ESCAPE"],
    ["/etc/passwd", "PATH_ESCAPE"],
    ["/", "PATH_ESCAPE"],
    ["etc/passwd", "PATH_ESCAPE"],
    ["etc", "PATH_ESCAPE"],
    ["a/up/x", "PATH_ESCAPE"],
    ["victim", "PATH_ESCAPE"],
    ["two", "PATH_ESCAPE"],
    ["dangling", "PATH_ESCAPE"],
    ["dangling-out", "PATH_ESCAPE"],
    ["loop", "PATH_ESCAPE"],
    ["ping/x", "PATH_ESCAPE"],
    ["a\0b", "PATH_ESCAPE"],
    [".git", "PATH_PROTECTED"],
    [".git/config", "PATH_PROTECTED"],
    ["sub/.git/x", "PATH_PROTECTED"],
    ["new/.git/x", "PATH_PROTECTED"],
    [".GIT/config", "PATH_PROTECTED"],
    [".git./config", "PATH_PROTECTED"],
    ["git~1/config", "PATH_PROTECTED"],
    [".g\u200cit/config", "PATH_PROTECTED"],
    ["gitlink/config", "PATH_PROTECTED"],
    ["config", "PATH_PROTECTED"],
    ["b/.git/f", "PATH_PROTECTED"],
    ["a/f/x", "NOT_A_DIRECTORY"],
  ])("%j is %s", async (given, reason) => {
    expect(await outcome(given)).toBe(reason);
  });

  it("an absolute path of a sibling that has the root's name as its beginning", async () => {
    expect(await outcome(`${root}-old/x`)).toBe("PATH_ESCAPE");
    expect(await outcome(`${sandbox.projectRoot}-old/x`)).toBe("PATH_ESCAPE");
  });

  it("links that lead out, for reading as for writing", async () => {
    for (const given of ["victim", "etc/passwd", "a/up/x", "dangling-out", "loop", "config"]) {
      expect(await outcome(given, "read"), given).toBe(await outcome(given, "write"));
    }
  });

  it("a sandbox that is gone", async () => {
    expect(await outcome("a", "read", { ...sandbox, root: path.join(base, "gone") })).toBe("SANDBOX_GONE");
  });
});

describe("confine: an entry is the link itself", () => {
  it.each(["victim", "loop", "dangling-out", "gitlink", "inlink"])("%s", async (given) => {
    expect(await outcome(given, "entry")).toBe(given);
  });

  it("while the directories above it are followed and judged", async () => {
    expect(await outcome("indir/f", "entry")).toBe("a/f");
    expect(await outcome("etc/passwd", "entry")).toBe("PATH_ESCAPE");
    expect(await outcome("gitlink/config", "entry")).toBe("PATH_PROTECTED");
    expect(await outcome("dangling/x", "entry")).toBe("PATH_ESCAPE");
  });
});

describe("confine: whatever is given", () => {
  it("what is allowed lies really inside, and outside of every .git", async () => {
    const part = fc.constantFrom(
      "a",
      "b",
      "f",
      "..",
      ".",
      "",
      "etc",
      "up",
      "indir",
      "inlink",
      "around",
      "victim",
      "loop",
      "dangling",
      "gitlink",
      ".git",
      "root",
      "root-old",
      "new",
      "project",
      "..a",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 7 }),
        fc.constantFrom("", "/", `${base}/`, `${root}/`, `${base}/project/`),
        fc.constantFrom<PathPurpose>("read", "write", "entry"),
        async (parts, prefix, purpose) => {
          const place = await confine(sandbox, prefix + parts.join("/"), purpose).catch((error: unknown) => {
            expect(error).toBeInstanceOf(ToolError);
          });
          if (place === undefined) return;
          const existing = deepestExisting(purpose === "entry" ? place.parent : place.absolute);
          expect(within(root, realpathSync(existing))).toBeDefined();
          expect(place.absolute.split("/")).not.toContain(".git");
        },
      ),
      { numRuns: 400 },
    );
  });

  it("any name at all is either kept or refused, never changed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", minLength: 1, maxLength: 20 }), async (name) => {
        const place = await confine(sandbox, `deep/${name.replaceAll("/", "")}x`, "write").catch(
          () => undefined,
        );
        if (place !== undefined) expect(place.absolute).toBe(`${root}/deep/${name.replaceAll("/", "")}x`);
      }),
    );
  });
});

function deepestExisting(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return deepestExisting(path.dirname(file));
  }
}
