import { describe, expect, test } from "vitest";
import { globPattern } from "./glob.ts";
import { GuardedOutput } from "./guarded-output.ts";
import { Registrations } from "./registrations.ts";
import { sectionOf } from "./server-requests.ts";
import { withEdits } from "./workspace-edit.ts";

const at = (from: number, to: number, newText: string) => ({
  range: { start: { line: 0, character: from }, end: { line: 0, character: to } },
  newText,
});

describe("parts of the language server protocol", () => {
  test("patterns match as editors have them, and broken ones match nothing", () => {
    const matching = (glob: string, paths: readonly string[]) =>
      paths.filter((path) => globPattern(glob).test(path));
    expect(matching("**/*.{ts,tsx}", ["a.ts", "x/y.tsx", "x/y.js"])).toEqual(["a.ts", "x/y.tsx"]);
    expect(matching("src/[!_]?*.py", ["src/ab.py", "src/_b.py", "src/x/ab.py"])).toEqual(["src/ab.py"]);
    expect(matching("{a,b", ["a"])).toEqual([]);
    expect(matching("a+(b).txt", ["a+(b).txt"])).toEqual(["a+(b).txt"]);
  });

  test("registrations are kept by id, and say which changes of files are wanted", () => {
    const registrations = new Registrations();
    expect(registrations.wants("/p/a.ts", "a.ts", 1)).toBe(true);
    registrations.add([
      {
        id: "1",
        method: "workspace/didChangeWatchedFiles",
        registerOptions: { watchers: [{ globPattern: "**/*.ts", kind: 4 }] },
      },
      {
        id: "2",
        method: "workspace/didChangeWatchedFiles",
        registerOptions: { watchers: [{ globPattern: { baseUri: "file:///p", pattern: "*.py" } }] },
      },
    ]);
    expect([registrations.wants("/p/a.ts", "a.ts", 1), registrations.wants("/p/a.ts", "a.ts", 3)]).toEqual([
      false,
      true,
    ]);
    expect([registrations.wants("/p/a.py", "a.py", 2), registrations.wants("/q/a.py", "a.py", 2)]).toEqual([
      true,
      false,
    ]);
    registrations.remove([{ id: "1", method: "workspace/didChangeWatchedFiles" }]);
    expect(registrations.wants("/p/a.ts", "a.ts", 3)).toBe(false);
    expect(registrations.has("workspace/didChangeWatchedFiles")).toBe(true);
  });

  test("settings are found by section, nested or by the whole name", () => {
    const settings = { python: { analysis: { strict: true } }, "yaml.format": { enable: false } };
    expect(
      ["python.analysis", "yaml.format", "python.nothing", "constructor", undefined].map((section) =>
        sectionOf(settings, section),
      ),
    ).toEqual([{ strict: true }, { enable: false }, null, null, settings]);
  });

  test("edits speak of the text before all of them, in whatever order they come", () => {
    expect(
      withEdits("abc", [at(2, 3, "C"), at(0, 0, "1"), at(0, 0, "2"), at(0, 1, "A")], "utf-16", "f"),
    ).toBe("12AbC");
    expect(() => withEdits("abc", [at(0, 2, "x"), at(1, 3, "y")], "utf-16", "f")).toThrow(
      "the edits of f overlap",
    );
  });

  test("messages are taken out of whatever is printed around them, in pieces of any size", async () => {
    const body = '{"a":"\r\n\r\nContent-Length: 3"}';
    const said = `hello\r\n\r\nworld\nContent-Type: x\r\nContent-Length: ${body.length}\r\n\r\n${body}log: done\nContent-Length: 2\r\n\r\n{}`;
    for (const size of [1, 7, 1000]) {
      const output = new GuardedOutput();
      for (let from = 0; from < said.length; from += size) output.write(said.slice(from, from + size));
      output.end();
      const chunks: Buffer[] = [];
      for await (const chunk of output) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).toString()).toBe(
        `Content-Length: ${body.length}\r\n\r\n${body}Content-Length: 2\r\n\r\n{}`,
      );
    }
  });
});
