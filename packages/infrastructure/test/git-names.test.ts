import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Files, fixture, git, rawTreeOf, treeOf, userEnv, write } from "./git-fixtures.ts";

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

/** A path below `root` whose names are these Latin-1 characters, each a byte. */
const raw = (root: string, path: string) =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);

for (const kind of ["git", "plain"])
  test(`names that are not UTF-8 go through edit, diff, patch, restore and apply of a ${kind} project`, async () => {
    await using it = fixture({ git: false });
    mkdirSync(raw(it.project, "d\xe9p"));
    const old = { "caf\xe9": "old\n", "d\xe9p/a\xff\xfeb": "old\n", "gone\xe9": "gone\n", plain: "p\n" };
    for (const [path, text] of Object.entries(old)) writeFileSync(raw(it.project, path), text);
    symlinkSync(Buffer.from("caf\xe9", "latin1"), raw(it.project, "l\xefnk"));
    if (kind === "git") {
      git(it.project, "init", "-q", "-b", "main");
      git(it.project, "add", "-A");
      git(it.project, "commit", "-qm", "start");
    }
    const before = rawTreeOf(it.project);
    const sandbox = await it.create();
    expect(rawTreeOf(sandbox.root)).toEqual(before);

    writeFileSync(raw(sandbox.root, "caf\xe9"), "new\n");
    writeFileSync(raw(sandbox.root, 'n\xe9w"\\\n\xc3\xa9'), "made\n");
    rmSync(raw(sandbox.root, "gone\xe9"));
    renameSync(raw(sandbox.root, "d\xe9p"), raw(sandbox.root, "moved\xe9"));
    const wanted = rawTreeOf(sandbox.root);
    const compared = await sandbox.compare();
    expect(
      compared.changeset.files.map(({ path, previousPath, quoted }) => [path, previousPath, quoted]),
    ).toEqual([
      ['"caf\\351"', undefined, true],
      ['"gone\\351"', undefined, true],
      ['"moved\\351/a\\377\\376b"', '"d\\351p/a\\377\\376b"', true],
      ['"n\\351w\\"\\\\\\n\\303\\251"', undefined, true],
    ]);

    await sandbox.restore(sandbox.baseTree);
    expect(rawTreeOf(sandbox.root)).toEqual(before);
    const patch = join(it.base, "patch");
    writeFileSync(patch, await compared.patch());
    execFileSync("git", ["apply", patch], {
      cwd: sandbox.root,
      env: { ...userEnv(it.base), GIT_CEILING_DIRECTORIES: it.base },
    });
    expect(rawTreeOf(sandbox.root)).toEqual(wanted);
    await it.apply(sandbox);
    expect(rawTreeOf(it.project)).toEqual(wanted);
  });

test("a name that looks as one that is quoted is another name, with another digest", async () => {
  await using it = fixture({ git: true });
  const sandbox = await it.create();
  writeFileSync(raw(sandbox.root, "caf\xe9"), "x");
  const bytes = await sandbox.compare();
  rmSync(raw(sandbox.root, "caf\xe9"));
  write(sandbox.root, { '"caf\\351"': "x" });
  const text = await sandbox.compare();
  expect(text.changeset.files[0]?.path).toBe(bytes.changeset.files[0]?.path);
  expect(text.changeset.files[0]?.quoted).toBeUndefined();
  expect(text.digest).not.toBe(bytes.digest);
});

test("a file in the way whose name is not UTF-8 is told as drift by its quoted name", async () => {
  await using it = fixture({ git: true });
  const sandbox = await it.create();
  writeFileSync(raw(sandbox.root, "caf\xe9"), "x");
  writeFileSync(raw(it.project, "caf\xe9"), "theirs");
  const { changeset } = await sandbox.compare();
  expect((await it.workspace.drift(sandbox, changeset)).map(({ path }) => path)).toEqual(['"caf\\351"']);
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
  const { chmodSync } = await import("node:fs");
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
