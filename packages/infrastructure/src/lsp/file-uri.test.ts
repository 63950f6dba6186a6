import { describe, expect, test } from "vitest";
import { fileOf, ServerPaths } from "./file-uri.ts";

describe("a URI of a file", () => {
  test("means the same file in every spelling, drive letters too", () => {
    expect(fileOf("file:///a%20b%23c%25%C3%BC.ts")).toBe("/a b#c%ü.ts");
    expect(fileOf("file:///%61b")).toBe("/ab");
    expect(new Set(["file:///c%3A/x%20y", "file:///C:/x y", "file:///c:/x%20y"].map(fileOf))).toEqual(
      new Set(["/c:/x y"]),
    );
    expect([fileOf("untitled:x"), fileOf("file:///%E0%A4%A"), fileOf("no uri")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("is a path of the project where the server sees it there, and says no places of the host", () => {
    const paths = new ServerPaths("/data/sandboxes/p1/tree", "/home/ada/app");
    expect(paths.toUri("src/a b.ts")).toBe("file:///home/ada/app/src/a%20b.ts");
    expect(paths.toRelative("file:///home/ada/app/src/a%20b.ts")).toBe("src/a b.ts");
    expect(paths.toRelative("file:///data/sandboxes/p1/tree/x")).toBe("x");
    expect(paths.toRelative("file:///home/ada/app-old/x")).toBeUndefined();
    expect(paths.shown("file:///opt/ts/node_modules/typescript/lib/lib.d.ts")).toEqual({
      path: "typescript/lib/lib.d.ts",
      outside: true,
    });
    expect(paths.shown("file:///usr/include/stdio.h")).toEqual({ path: "stdio.h", outside: true });
    expect(paths.clean("no /home/ada/app/x in /data/sandboxes/p1/tree, see file:///home/ada/app/y")).toBe(
      "no x in ., see y",
    );
  });
});
