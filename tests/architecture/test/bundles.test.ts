import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./cruise.ts";

/** Not `node:test`, which is imported by a file that the demo writes. */
const BUILTIN = /(?:^|;)import[^;"']*["']node:(?!test["'])/m;

/** As `npm run build` makes them; what was left by an older build is older than the program. */
test.each(["packages/cli", "apps/server"])(
  "the program of %s takes no module of Node's by import",
  (home) => {
    const dist = path.join(root, home, "dist");
    const files = ["main.mjs", ...chunksOf(path.join(dist, "main.mjs"), dist)];
    expect(files.length).toBeGreaterThan(5);
    const importing = files.filter((file) => BUILTIN.test(readFileSync(path.join(dist, file), "utf8")));
    expect(importing).toEqual([]);
  },
);

/** The chunks that a file leads to, by import of either kind. */
function chunksOf(file: string, dist: string, known: Set<string> = new Set()): readonly string[] {
  const there = new Set(readdirSync(path.join(dist, "chunks")));
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(
    /["'`]\.\/(?:chunks\/)?([\w-]+\.mjs)["'`]/g,
  )) {
    const chunk = path.join("chunks", name);
    if (!there.has(name) || known.has(chunk)) continue;
    known.add(chunk);
    chunksOf(path.join(dist, chunk), dist, known);
  }
  return [...known];
}
