import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalChangeset, type FileChange, statsOf } from "./changeset.ts";

const side = fc.record({
  mode: fc.constantFrom("100644" as const, "100755" as const, "120000" as const),
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  size: fc.nat(),
});
const change: fc.Arbitrary<FileChange> = fc.record({
  path: fc.string({ minLength: 1 }),
  op: fc.constantFrom("create" as const, "modify" as const, "delete" as const),
  before: fc.option(side),
  after: fc.option(side),
  binary: fc.boolean(),
  insertions: fc.nat(),
  deletions: fc.nat(),
});
const changes = fc.uniqueArray(change, { selector: (c) => c.path });

test("the order in which changes were found does not matter", () => {
  fc.assert(
    fc.property(changes, (files) => canonicalChangeset(files) === canonicalChangeset([...files].reverse())),
  );
});

test("a change of path, operation, mode or content changes the text that the digest covers", () => {
  fc.assert(
    fc.property(changes, change, (files, extra) => {
      fc.pre(!files.some((file) => file.path === extra.path));
      expect(canonicalChangeset([...files, extra])).not.toBe(canonicalChangeset(files));
    }),
  );
});

test("how lines are counted does not", () => {
  const file: FileChange = {
    path: "a",
    op: "create",
    before: null,
    after: { mode: "100644", sha256: "0".repeat(64), size: 1 },
    binary: false,
    insertions: 1,
    deletions: 0,
  };
  expect(canonicalChangeset([file])).toBe(canonicalChangeset([{ ...file, insertions: 7, binary: true }]));
});

test("statistics count each kind of change", () => {
  const text = { mode: "100644" as const, sha256: "0".repeat(64), size: 1 };
  const frame = { binary: false, insertions: 0, deletions: 0 };
  const files: FileChange[] = [
    { ...frame, path: "new", op: "create", before: null, after: text, insertions: 3 },
    { ...frame, path: "gone", op: "delete", before: text, after: null, deletions: 2 },
    { ...frame, path: "run", op: "modify", before: text, after: { ...text, mode: "100755" } },
    { ...frame, path: "to", previousPath: "from", op: "rename", before: text, after: text },
    { ...frame, path: "pic", op: "modify", before: text, after: text, binary: true },
  ];
  expect(statsOf(files)).toEqual({
    files: 5,
    created: 1,
    modified: 2,
    deleted: 1,
    renamed: 1,
    modeChanges: 1,
    binary: 1,
    insertions: 3,
    deletions: 2,
  });
});
