import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fixture, treeOf, userState } from "./git-fixtures.ts";

const FILES = {
  "a.txt": "a\n",
  "b/c.txt": "c\n",
  "b/d/e.bin": Buffer.from([0, 1, 2]),
  run: "#!/bin/sh\n",
  keep: "kept\n",
};

const name = fc.constantFrom("a.txt", "b", "c.txt", "d", "e.bin", "run", "new", "ü", "sp ace", "-x");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom("", "a\n", "no newline", "x\r\ny\r\n").map((text) => Buffer.from(text)),
);

type Edit = (root: string) => void;

/** Makes way for a path as a script would that does not care what was there. */
function clear(root: string, target: string): void {
  const names = target.split("/").slice(0, -1);
  for (const [at] of names.entries()) {
    const parent = join(root, ...names.slice(0, at + 1));
    try {
      mkdirSync(parent);
    } catch {
      rmSync(join(parent, ".probe"), { force: true });
    }
  }
  rmSync(join(root, target), { recursive: true, force: true });
}

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(path, content, fc.boolean()).map(
    ([target, bytes, executable]): Edit =>
      (root) => {
        clear(root, target);
        writeFileSync(join(root, target), bytes);
        chmodSync(join(root, target), executable ? 0o755 : 0o644);
      },
  ),
  path.map(
    (target): Edit =>
      (root) =>
        rmSync(join(root, target), { recursive: true, force: true }),
  ),
  fc.tuple(path, name).map(
    ([target, to]): Edit =>
      (root) => {
        clear(root, target);
        symlinkSync(to, join(root, target));
      },
  ),
  path.map(
    (target): Edit =>
      (root) =>
        mkdirSync(join(root, target), { recursive: true }),
  ),
);

test("whatever is done in the sandbox, the project stays byte-identical until apply, and then equals it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), async (edits) => {
      await using it = fixture({ git: true, files: FILES });
      const before = userState(it.project);
      const sandbox = await it.create();
      for (const change of edits) {
        try {
          change(sandbox.root);
        } catch {
          // Not possible as things stand, e.g. below a file: a script would fail here too.
        }
      }
      const wanted = treeOf(sandbox.root);
      const compared = await sandbox.compare();
      expect(treeOf(sandbox.root)).toEqual(wanted);
      expect(userState(it.project)).toEqual(before);
      // Links in a circle are refused; everything else of this kind stays inside.
      const applied = await it.apply(sandbox).catch((error: unknown) => error);
      if (applied instanceof Error) {
        expect(applied).toMatchObject({
          name: "ChangesetRefusedError",
          why: expect.stringContaining("circle"),
        });
        expect(userState(it.project)).toEqual(before);
        return;
      }
      expect(treeOf(it.project)).toEqual(wanted);
      await sandbox.restore(compared.from);
      expect(treeOf(sandbox.root)).toEqual(before["files"]);
      await sandbox.restore(compared.to);
      expect(treeOf(sandbox.root)).toEqual(wanted);
    }),
    { numRuns: Number(process.env["SOAK"] === "1" ? 500 : 3) },
  );
}, 120_000);
