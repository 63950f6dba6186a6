import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Files, fixture, git, treeOf, userEnv, write } from "./git-fixtures.ts";

const NAMES = [
  " leading and trailing ",
  'a"b',
  "back\\slash",
  "tab\there",
  "new\nline",
  "-n",
  "--help",
  ":(exclude)x",
  "#hash",
  "!bang",
  "*[?]",
  "emoji 🦊",
  "\u00fc nfc",
  "u\u0308 nfd",
  ".hidden",
  "git~1",
  "dir with 'quotes'/deep\n/file",
  "~",
  "$HOME",
  "\u{feff}bom",
  "{0}",
  "con",
];

const all = (content: string): Files =>
  Object.fromEntries(NAMES.map((name) => [name, `${name}: ${content}`]));

for (const kind of ["git", "plain"])
  test(`any name goes through edit, diff, restore and apply of a ${kind} project unchanged`, async () => {
    await using it = fixture({ git: kind === "git", files: all("old\n") });
    const sandbox = await it.create();
    expect(treeOf(sandbox.root)).toEqual(treeOf(it.project));
    write(sandbox.root, all("new\n"));
    const compared = await sandbox.compare();
    expect(compared.changeset.files.map((file) => file.path)).toEqual([...NAMES].sort());
    await sandbox.restore(sandbox.baseTree);
    expect(treeOf(sandbox.root)).toEqual(treeOf(it.project));
    await sandbox.restore(compared.to);
    await it.apply(sandbox);
    expect(treeOf(it.project)).toEqual(treeOf(sandbox.root));
  });

test("a name that is not UTF-8 is refused with an error that shows it", async () => {
  await using it = fixture({ git: true });
  const sandbox = await it.create();
  writeFileSync(Buffer.concat([Buffer.from(`${sandbox.root}/caf`), Buffer.from([0xe9])]), "x");
  await expect(sandbox.compare()).rejects.toThrow('"caf\u00e9" is not UTF-8');
});

test("the patch applies with git apply: binaries, links, modes, renames, odd names, no newline, text that is not UTF-8", async () => {
  const files = {
    ...all("old\n"),
    "latin1.txt": Buffer.from([0x63, 0x61, 0x66, 0xe9, 10, 0x61, 10]),
    "data.bin": Buffer.from([0, 1, 2, 255]),
    "long.txt": "line\n".repeat(50),
    "gone.txt": "gone",
  };
  await using it = fixture({ git: true, files });
  const sandbox = await it.create();
  const { chmodSync, renameSync, rmSync, symlinkSync } = await import("node:fs");
  write(sandbox.root, {
    ...all("new"),
    "latin1.txt": Buffer.from([0x63, 0x61, 0x66, 0xe8, 10, 0x61, 10]),
    "data.bin": Buffer.from([0, 3, 2, 1]),
    empty: "",
  });
  renameSync(join(sandbox.root, "long.txt"), join(sandbox.root, "renamed.txt"));
  chmodSync(join(sandbox.root, "renamed.txt"), 0o755);
  rmSync(join(sandbox.root, "gone.txt"));
  symlinkSync("data.bin", join(sandbox.root, "link"));
  const patch = await (await sandbox.compare()).patch();
  expect(patch).toContain("rename from long.txt");
  execFileSync("git", ["-c", "core.protectNTFS=false", "apply", "-"], {
    cwd: it.project,
    input: patch,
    env: userEnv(it.base),
  });
  expect(treeOf(it.project)).toEqual(treeOf(sandbox.root));
  expect(git(it.project, "diff", "--stat").length).toBeGreaterThan(0);
});

test("binary content is the same after apply, and counts as binary with its size", async () => {
  await using it = fixture({ git: true, files: { "t.txt": "a\n" } });
  const sandbox = await it.create();
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 13, 10, 26, 10]);
  write(sandbox.root, { "b.png": bytes, "t.txt": "b\n" });
  const { changeset } = await sandbox.compare();
  expect(changeset.files).toMatchObject([
    { path: "b.png", binary: true, after: { size: 9 }, insertions: 0 },
    { path: "t.txt" },
  ]);
  await it.apply(sandbox);
  expect(treeOf(it.project)).toEqual(treeOf(sandbox.root));
});
