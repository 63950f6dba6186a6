import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import path from "node:path";
import {
  CommandNotStartedError,
  type CommandRequest,
  type HeldSize,
  type Sandbox,
} from "@cleveragents/application";
import { expect, test } from "vitest";
import { ProcessCommandRunner } from "../src/process/index.ts";
import { SmallDisk, whyNoDisk } from "./git-apply-hardship.ts";
import { type Fixture, fixture, never, treeOf, userEnv, write } from "./git-fixtures.ts";

const noDisk = whyNoDisk();

/** A project whose `.gitignore` leaves its dependencies out; without isolation, so that they have to be copied. */
function project(git = true): Fixture {
  const it = fixture({ git, files: { ".gitignore": "node_modules/\n.venv/\n", "a.txt": "a\n" } });
  write(it.project, {
    "node_modules/dep/index.js": "module.exports = 'given';\n",
    "node_modules/dep/node_modules/inner/index.js": "module.exports = 'inner';\n",
  });
  return it;
}

async function run(
  it: Fixture,
  sandbox: Sandbox,
  command: string,
  more: Partial<CommandRequest> = {},
  copyAtMost?: number,
) {
  const runner = new ProcessCommandRunner({ env: userEnv(it.base), copyAtMost });
  const { stdout, stderr } = await runner.run({
    command,
    root: sandbox.root,
    projectRoot: sandbox.projectRoot,
    timeoutMs: 30_000,
    network: false,
    signal: never,
    ...more,
  });
  return stdout + stderr;
}

test("a command finds copies, writes to them for those after it, and the user's folder stays as it was", async () => {
  await using it = project();
  const before = treeOf(it.project);
  const sandbox = await it.create();
  const told: (HeldSize | undefined)[] = [];
  expect(
    await run(
      it,
      sandbox,
      `node -p 'require("dep")'; echo changed > node_modules/dep/index.js; touch node_modules/made`,
      {
        onPreparing: (size) => told.push(size),
      },
    ),
  ).toBe("given\n");
  expect(told).toEqual([{ files: 2, bytes: expect.any(Number) }, undefined]);
  expect(await run(it, sandbox, "cat node_modules/dep/index.js; ls node_modules")).toBe(
    "changed\ndep\nmade\n",
  );
  expect(treeOf(it.project)).toEqual(before);
});

test("no file of a copy is the user's own, and times, modes and links are theirs", async () => {
  await using it = project();
  write(it.project, { "node_modules/.bin/.keep": "", "node_modules/tool.sh": "#!/bin/sh\n" });
  execFileSync("chmod", ["750", path.join(it.project, "node_modules/tool.sh")]);
  utimesSync(path.join(it.project, "node_modules/tool.sh"), 1000, 2000);
  symlinkSync("../dep/index.js", path.join(it.project, "node_modules/.bin/dep"));
  symlinkSync(path.join(it.project, "a.txt"), path.join(it.project, "node_modules/absolute"));
  symlinkSync("/usr/bin/env", path.join(it.project, "node_modules/elsewhere"));
  const sandbox = await it.create();
  await run(it, sandbox, "true");
  const copied = (name: string) => path.join(sandbox.root, "node_modules", name);
  const tool = statSync(copied("tool.sh"));
  expect([tool.mode & 0o777, tool.mtimeMs, tool.nlink]).toEqual([0o750, 2_000_000, 1]);
  expect(tool.ino).not.toBe(statSync(path.join(it.project, "node_modules/tool.sh")).ino);
  expect(readlinkSync(copied(".bin/dep"))).toBe("../dep/index.js");
  expect(readlinkSync(copied("absolute"))).toBe(path.join(sandbox.root, "a.txt"));
  expect(readlinkSync(copied("elsewhere"))).toBe("/usr/bin/env");
});

test("they are no part of the diff, also when the plan changes what is ignored, and come back after a restore", async () => {
  await using it = project();
  const sandbox = await it.create();
  await run(it, sandbox, "echo '!node_modules' > .gitignore; echo b > a.txt; echo x > node_modules/made");
  const { changeset } = await sandbox.compare();
  expect(changeset.files.map((file) => file.path)).toEqual([".gitignore", "a.txt"]);
  await sandbox.restore(sandbox.baseTree);
  expect(await run(it, sandbox, "ls node_modules")).toBe("dep\n");
});

test("scripts of a virtual environment of Python start the copy's interpreter", async () => {
  await using it = project();
  write(it.project, {
    ".venv/pyvenv.cfg": "home = /usr/bin\n",
    ".venv/bin/tool": `#!${it.project}/.venv/bin/python\nprint("x")\n`,
    ".venv/lib/keep.py": `PLACE = "${it.project}/x"\n`,
  });
  const sandbox = await it.create();
  await run(it, sandbox, "true");
  expect(readFileSync(path.join(sandbox.root, ".venv/bin/tool"), "utf8")).toMatch(
    `#!${sandbox.root}/.venv/bin/python\n`,
  );
  expect(readFileSync(path.join(sandbox.root, ".venv/lib/keep.py"), "utf8")).toBe(
    `PLACE = "${it.project}/x"\n`,
  );
});

test("the copy's own folder stays, and no link in the copy leads one elsewhere", async () => {
  await using it = project();
  write(it.project, { "packages/a/package.json": "{}", "packages/a/node_modules/inner/index.js": "x" });
  const sandbox = await it.create();
  write(sandbox.root, { "node_modules/own": "own" });
  mkdirSync(path.join(it.base, "outside/a"), { recursive: true });
  execFileSync("rm", ["-r", path.join(sandbox.root, "packages")]);
  symlinkSync(path.join(it.base, "outside"), path.join(sandbox.root, "packages"));
  expect(await run(it, sandbox, "ls node_modules")).toBe("own\n");
  expect(readdirSync(path.join(it.base, "outside/a"))).toEqual([]);
});

test("what is too large to be copied is not, and the refusal says how to go on", async () => {
  await using it = project();
  const sandbox = await it.create();
  const refused = run(it, sandbox, "touch ran", {}, 10);
  await expect(refused).rejects.toThrow(CommandNotStartedError);
  await expect(refused).rejects.toThrow(
    /node_modules .* larger than .*CLEVERAGENTS_DEPENDENCY_COPY_MB.*dependencies: \[\]/,
  );
  expect(await run(it, sandbox, "ls -A", { dependencies: [] }, 10)).toBe(".gitignore\na.txt\n");
  expect(readdirSync(path.dirname(sandbox.root)).filter((name) => name.startsWith("copying"))).toEqual([]);
});

test("a copy that was cut off is no copy, and leaves nothing", async () => {
  await using it = project();
  const sandbox = await it.create();
  write(path.dirname(sandbox.root), { "copying.0123456789ab/half": "x" });
  const controller = new AbortController();
  const cut = run(it, sandbox, "touch ran", {
    signal: controller.signal,
    onPreparing: () => controller.abort(),
  });
  await expect(cut).rejects.toThrow(/cancelled/);
  expect(lstatSync(path.join(sandbox.root, "node_modules"), { throwIfNoEntry: false })).toBeUndefined();
  expect(readdirSync(path.dirname(sandbox.root)).filter((name) => name.startsWith("copying"))).toEqual([]);
  expect(await run(it, sandbox, "ls node_modules")).toBe("dep\n");
});

test.skipIf(noDisk !== undefined)(
  `where the disk fills up meanwhile nothing is left of a copy, and it is made when there is room${noDisk === undefined ? "" : ` (skipped: ${noDisk})`}`,
  async () => {
    using disk = new SmallDisk("300m");
    await using it = disk.holding(project);
    for (let n = 0; n < 20; n += 1)
      write(it.project, { [`node_modules/large/${n}.bin`]: Buffer.alloc(100_000, n) });
    const sandbox = await it.create();
    const directory = path.dirname(sandbox.root);
    const before = readdirSync(directory).sort();
    const fullAt = async (leave: number, when: Partial<CommandRequest>) => {
      const refused = await run(it, sandbox, "touch ran", when).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(CommandNotStartedError);
      expect(String(refused)).toMatch(/node_modules could not be copied: the disk is full; or say/);
      expect(String(refused)).not.toContain(it.base);
      expect(readdirSync(sandbox.root).sort(), `${leave} bytes`).toEqual([".gitignore", "a.txt"]);
      disk.free();
    };
    // In the middle of the copy, and where not even what is to be copied can be noted.
    await fullAt(500_000, { onPreparing: (size) => size !== undefined && disk.fill(500_000) });
    expect(readdirSync(directory).sort()).toEqual([...before, "brought"].sort());
    rmSync(path.join(directory, "brought"));
    disk.fill();
    await fullAt(0, {});
    expect(readdirSync(directory).sort()).toEqual(before);
    expect(await run(it, sandbox, "ls node_modules")).toBe("dep\nlarge\n");
    expect((await sandbox.compare()).changeset.files).toEqual([]);
  },
);

test("in a folder without version control they are those that copies of it leave out", async () => {
  await using it = project(false);
  const sandbox = await it.create();
  expect(await run(it, sandbox, "ls node_modules")).toBe("dep\n");
  expect((await sandbox.compare()).changeset.files).toEqual([]);
});
