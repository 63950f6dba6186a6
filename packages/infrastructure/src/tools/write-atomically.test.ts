import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { confine } from "./confine.ts";
import { writeAtomically } from "./write-atomically.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "write-")));
  writeFileSync(path.join(root, "a"), "old");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("writeAtomically", () => {
  it("a write that fails leaves the old content, and nothing beside it", async () => {
    const place = await confine({ root, projectRoot: root }, "a", "write");
    const unwritable = 5 as unknown as Uint8Array; // stands for a disk that fails in the middle
    await expect(writeAtomically(place, unwritable)).rejects.toThrow();
    expect(readdirSync(root)).toEqual(["a"]);
    expect(readFileSync(path.join(root, "a"), "utf8")).toBe("old");
  });

  it("a reader that has the old file open keeps it whole", async () => {
    const place = await confine({ root, projectRoot: root }, "a", "write");
    await using reader = await open(path.join(root, "a"));
    await writeAtomically(place, Buffer.from("new content"));
    expect(await reader.readFile("utf8")).toBe("old");
    expect(readFileSync(path.join(root, "a"), "utf8")).toBe("new content");
  });
});
