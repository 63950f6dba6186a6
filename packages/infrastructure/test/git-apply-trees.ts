import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";

/** Trees and what happens to them, for properties of apply and undo. */
export type Edit = (root: string) => void;

export const TREE = {
  "a.txt": Array.from({ length: 12 }, (_, n) => `line ${n}\n`).join(""),
  "b/c.txt": "c\n",
  "b/d/e.bin": Buffer.from([0, 1, 2]),
  run: "#!/bin/sh\n",
  keep: "kept\n",
  empty: "",
};

const ODD = "od\udc80d";
const name = fc.constantFrom(
  "a.txt",
  "b",
  "c.txt",
  "d",
  "e.bin",
  "run",
  "new",
  "ü",
  "sp ace",
  "-x",
  "*",
  "empty",
  ODD,
);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom("", "a\n", "no newline", "x\r\ny\r\n").map((text) => Buffer.from(text)),
);

/** A name with a byte that is no UTF-8 where the path has the placeholder. */
function real(root: string, target: string): string | Buffer {
  const full = join(root, target);
  if (!full.includes(ODD)) return full;
  const parts = full.split(ODD).map((part) => Buffer.from(part));
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from([0x6f, 0x80]), part])));
}

/** Makes way for a path, whatever is there; below a file it is not possible, and the edit fails. */
function clear(root: string, target: string): void {
  const names = target.split("/");
  for (let at = 1; at < names.length; at++) {
    try {
      mkdirSync(real(root, names.slice(0, at).join("/")));
    } catch {
      // There already, as a directory or as something else.
    }
  }
  rmSync(real(root, target), { recursive: true, force: true });
}

export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.oneof(
    fc.tuple(path, content, fc.boolean()).map(
      ([target, bytes, executable]): Edit =>
        (root) => {
          clear(root, target);
          writeFileSync(real(root, target), bytes);
          chmodSync(real(root, target), executable ? 0o755 : 0o644);
        },
    ),
    path.map(
      (target): Edit =>
        (root) =>
          rmSync(real(root, target), { recursive: true, force: true }),
    ),
    fc.tuple(path, name).map(
      ([target, to]): Edit =>
        (root) => {
          clear(root, target);
          symlinkSync(to === ODD ? "keep" : to, real(root, target));
        },
    ),
  ),
  { minLength: 1, maxLength: 8 },
);

export function edit(root: string, some: readonly Edit[]): void {
  for (const change of some) {
    try {
      change(root);
    } catch {
      // Not possible as things stand, e.g. below a file: a script would fail here too.
    }
  }
}
