import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileChange } from "@cleveragents/domain";
import fc from "fast-check";
import { expect } from "vitest";
import { type Fixture, fixture, git, rawTreeOf, userEnv } from "./git-fixtures.ts";

/** Paths are written as Latin-1 here: each character is a byte of the name. */
const name = fc.constantFrom(
  "a.txt",
  "b",
  "c.ign",
  "d",
  "run.sh",
  "caf\xe9",
  "\xc3\xbc",
  "x\xff\xfe",
  "-n",
  "sp ace",
);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
/** Files that say what git does with other files: in any folder, and made or changed by a plan too. */
const rules = fc
  .tuple(
    fc.constantFrom("", "d/", "b/", "b/d/"),
    fc.constantFrom(
      [".gitignore", "b\n"],
      [".gitignore", "/d/\n*.txt\n!a.txt\n"],
      [".gitignore", "*\n!run.sh\n"],
      [".gitattributes", "* text eol=crlf\n"],
      [".gitattributes", "*.txt -diff ident\nrun.sh binary\n"],
      [".gitattributes", "* filter=nowhere working-tree-encoding=ISO-8859-1\n"],
    ),
  )
  .map(([folder, [file = "", text = ""]]) => [folder + file, Buffer.from(text), 0o644] as const);
const content = fc.oneof(
  fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom("", "a\n", "no newline", "x\r\ny\r\n", "mixed\r\nends\n$Id$\n", `${"line\n".repeat(40)}`)
    .map((text) => Buffer.from(text)),
);

type Edit = (root: string) => void;
const at = (root: string, target: string) =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(target, "latin1")]);

const put = fc
  .oneof({ weight: 5, arbitrary: fc.tuple(path, content, fc.constantFrom(0o644, 0o755)) }, rules)
  .map(
    ([target, bytes, mode]): Edit =>
      (root) => {
        const parts = target.split("/").slice(0, -1);
        if (parts.length > 0) mkdirSync(at(root, parts.join("/")), { recursive: true });
        writeFileSync(at(root, target), bytes);
        chmodSync(at(root, target), mode);
      },
  );
const remove = path.map(
  (target): Edit =>
    (root) =>
      rmSync(at(root, target), { recursive: true, force: true }),
);
const linkTo = fc.tuple(path, fc.constantFrom("a.txt", "b", "nowhere")).map(
  ([target, to]): Edit =>
    (root) =>
      symlinkSync(to, at(root, target)),
);

/** A word of `sh` that stands for these bytes. */
const word = (target: string) =>
  `"$(printf '${[...Buffer.from(target, "latin1")].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}')"`;
const run =
  (file: string, ...args: string[]): Edit =>
  (root) => {
    const env = { ...userEnv(join(root, "..")), GIT_CEILING_DIRECTORIES: join(root, "..") };
    execFileSync(file, args, { cwd: root, env, stdio: "ignore" });
  };
const shell = fc
  .tuple(
    path,
    path,
    fc.constantFrom("mv -- A B", "cp -a -- A B", "chmod +x ./A", "rm -rf ./A", "echo more >> ./A"),
  )
  .map(([a, b, line]) => run("sh", "-c", line.replace("A", word(a)).replace("B", word(b))));
const hasPython = (() => {
  try {
    execFileSync("python3", ["-c", ""]);
    return true;
  } catch {
    return false;
  }
})();
const python = fc
  .tuple(path, content)
  .map(([target, bytes]) =>
    run(
      "python3",
      "-c",
      `import os;p=bytes.fromhex('${Buffer.from(target, "latin1").toString("hex")}');os.makedirs(os.path.dirname(p) or b'.',exist_ok=True);open(p,'wb').write(bytes.fromhex('${bytes.toString("hex")}'))`,
    ),
  );
const byGit = fc
  .constantFrom(
    "git stash -q",
    "git mv -k -- a.txt moved",
    "git rm -qrf --ignore-unmatch -- b",
    "git clean -qfd",
  )
  .map((line) =>
    run(
      "sh",
      "-c",
      `git init -q && git add -A -f && git -c user.name=x -c user.email=x@y commit -qm x && ${line}`,
    ),
  );
const setMode = fc.tuple(path, fc.constantFrom(0o600, 0o644, 0o755, 0o444)).map(
  ([target, mode]): Edit =>
    (root) =>
      chmodSync(at(root, target), mode),
);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  put,
  remove,
  linkTo,
  setMode,
  shell,
  ...(hasPython ? [python] : []),
  byGit,
);

function attempt(root: string, edits: readonly Edit[]): void {
  for (const change of edits) {
    try {
      change(root);
    } catch {
      // Not possible as things stand, e.g. below a file.
    }
  }
}

/** Everything of the user's but the files. */
function keptOf({ project }: Fixture): Record<string, string> {
  const bytes = (file: string) => readFileSync(join(project, ".git", file)).toString("base64");
  return {
    index: bytes("index"),
    head: bytes("HEAD"),
    config: bytes("config"),
    refs: git(project, "for-each-ref"),
    stash: git(project, "stash", "list"),
  };
}

/** What a walk over both trees finds, as a changeset would say it with each rename as two. */
function comparedByHand(before: Record<string, string>, after: Record<string, string>): string[] {
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...all].filter((key) => before[key] !== after[key]).sort();
}

function bytesOf(told: string, quoted: boolean): string {
  if (!quoted) return Buffer.from(told, "utf8").toString("latin1");
  return told
    .slice(1, -1)
    .replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

function pathsOf(files: readonly FileChange[]): string[] {
  return files
    .flatMap(({ path: told, previousPath, quoted }) =>
      [told, ...(previousPath === undefined ? [] : [previousPath])].map((p) => bytesOf(p, quoted === true)),
    )
    .sort();
}

/** Which of the files the rules in a directory ignore, by a git that knows nothing else of it. */
function ignoredIn(it: Fixture, root: string, keys: readonly string[]): (key: string) => boolean {
  const look = join(it.base, "look.git");
  const env = userEnv(it.base);
  execFileSync("git", ["init", "-q", "--bare", look], { env });
  const input = Buffer.from(keys.map((key) => `${key}\0`).join(""), "latin1");
  const args = [`--git-dir=${look}`, `--work-tree=${root}`, "check-ignore", "-z", "--no-index", "--stdin"];
  // It ends with 1 where none is ignored.
  const { stdout } = spawnSync("git", args, { cwd: root, env, input });
  const found = new Set(stdout.toString("latin1").split("\0"));
  return (key) => found.has(key);
}
/** Names of tracked files; what is tracked counts, whatever the rules say. */
function trackedIn(it: Fixture): ReadonlySet<string> {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: it.project, env: userEnv(it.base) });
  return new Set(listed.toString("latin1").split("\0"));
}
const without = (tree: Record<string, string>, drop: (key: string) => boolean) =>
  Object.fromEntries(Object.entries(tree).filter(([key]) => !drop(key)));

/**
 * Random repositories, changed by shell, Python and git in the sandbox: the diff is that of the trees, apply gives the new
 * one, and undo the old one; index, HEAD, configuration, references and stash stay byte for byte.
 */
export async function checkRepositories(runs: {
  readonly numRuns: number;
  readonly seed?: number;
}): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(put, { minLength: 1, maxLength: 6 }),
      fc.array(fc.oneof(put, remove, linkTo), { maxLength: 4 }),
      fc.array(fc.oneof(put, remove), { maxLength: 3 }),
      fc.array(edit, { minLength: 1, maxLength: 6 }),
      async (committed, staged, unstaged, edits) => {
        await using it = fixture({ git: true, files: { ".gitignore": "*.ign\n", "a.txt": "a\n" } });
        attempt(it.project, committed);
        git(it.project, "add", "-A");
        git(it.project, "commit", "-q", "--allow-empty", "-m", "more");
        git(it.project, "commit", "-q", "--allow-empty", "-m", "stashed");
        attempt(it.project, staged);
        git(it.project, "add", "-A");
        attempt(it.project, unstaged);
        const before = rawTreeOf(it.project);
        const kept = keptOf(it);
        const tracked = trackedIn(it);
        const ignored = ignoredIn(it, it.project, Object.keys(before));
        const base = without(before, (key) => ignored(key) && !tracked.has(key));

        const sandbox = await it.create();
        expect(rawTreeOf(sandbox.root)).toEqual(base);
        attempt(sandbox.root, edits);
        const made = rawTreeOf(sandbox.root);
        const passedOver = ignoredIn(it, sandbox.root, Object.keys(made));
        const wanted = without(made, (key) => passedOver(key) && !(key in base));
        const compared = await sandbox.compare();
        expect(pathsOf(compared.changeset.files)).toEqual(comparedByHand(base, wanted));
        expect(rawTreeOf(it.project)).toEqual(before);
        expect(keptOf(it)).toEqual(kept);

        const applied = await it.apply(sandbox).catch((error: unknown) => error);
        if (applied instanceof Error) {
          // Links in a circle, and places where ignored files of the user's are in the way: nothing is written then.
          expect(["ChangesetRefusedError", "BaseDriftError"]).toContain(applied.name);
          expect(rawTreeOf(it.project)).toEqual(before);
        } else {
          const others = without(before, (key) => key in base);
          expect(rawTreeOf(it.project)).toEqual({ ...others, ...wanted });
          const undo = await it.workspace.undo("PLAN", it.project);
          if (undo !== undefined)
            await it.workspace.apply(
              { projectRoot: it.project, baseTree: undo.from },
              { planId: "UNDO", digest: undo.digest, toTree: undo.to },
            );
          expect(rawTreeOf(it.project)).toEqual(before);
        }
        expect(keptOf(it)).toEqual(kept);
      },
    ),
    runs,
  );
}
