import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DependencyOverlays } from "../src/bubblewrap/dependency-overlays.ts";
import { IsolatedHost } from "./isolated-host.ts";
import { isolationHere } from "./isolation-here.ts";

const isolation = await isolationHere();
const overlays = await new DependencyOverlays({ env: process.env, probeIn: undefined }).available();
const works = isolation.works && overlays;

/** By the simplest way there is, and none of ours. */
function kernelMountsOverlays(): boolean {
  const steps =
    "mount -t tmpfs none /mnt && mkdir /mnt/l /mnt/u /mnt/w /mnt/m && mount -t overlay none -o lowerdir=/mnt/l,upperdir=/mnt/u,workdir=/mnt/w,userxattr /mnt/m";
  const users = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  try {
    execFileSync("unshare", [...users, "--mount", "sh", "-c", steps], { stdio: "ignore", timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(works)("overlays can be mounted here, or the kernel does not allow it", () => {
  expect(isolation.works && kernelMountsOverlays()).toBe(false);
});

describe.skipIf(!works)(
  `dependency folders that the project ignores ${works ? "" : "(no overlays here)"}`,
  () => {
    let host: IsolatedHost;
    const inProject = (name: string) => path.join(host.project, name);
    const inCopy = (name: string) => path.join(host.root, name);
    function project(name: string, content: string): void {
      mkdirSync(path.dirname(inProject(name)), { recursive: true });
      writeFileSync(inProject(name), content);
    }
    beforeEach(() => {
      host = new IsolatedHost();
      rmSync(inProject("real.txt"));
      execFileSync("git", ["init", "-q", host.project]);
      project(".gitignore", "node_modules/\n.venv/\nsecrets/\n");
      project("node_modules/dep/index.js", "module.exports = 'given';\n");
      writeFileSync(inCopy(".gitignore"), "node_modules/\n");
    });
    afterEach(() => host[Symbol.dispose]());

    test("are there for a server too, in a layer of its own that goes with it, while commands change theirs", async () => {
      const server = await host.runner.open({
        command: [
          "/bin/sh",
          "-c",
          "cat node_modules/dep/index.js; echo server > node_modules/s; read line; ls node_modules",
        ],
        root: host.root,
        projectRoot: host.project,
        network: false,
        confined: true,
        signal: new AbortController().signal,
      });
      let said = "";
      server.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
      await expect.poll(() => said).toContain("given");
      const ran = await host.run("echo command > node_modules/c; ls node_modules");
      expect(ran.stdout).toBe("c\ndep\n");
      server.stdin.end("\n");
      await server.ended;
      expect(said).toMatch(/dep\ns\n$/);
      expect((await host.run("ls node_modules")).stdout).toBe("c\ndep\n");
      expect(readdirSync(path.dirname(host.root)).filter((name) => name.startsWith("overlays."))).toEqual([]);
    });

    test("can be used, by Node.js and by Python", async () => {
      const site = ".venv/lib/python/site-packages/given.py";
      project(site, "WORD = 'given'\n");
      const { stdout, stderr } = await host.run(
        `node -e 'console.log(require("dep"))'; PYTHONPATH=${path.dirname(site)} /usr/bin/python3 -c 'import given; print(given.WORD)'`,
      );
      expect(stderr.replace(/.*python3: not found\n/, "")).toBe("");
      expect(stdout).toMatch(/^given\n(given\n)?$/);
    });

    test("take what is written there, for later commands of the plan and for nobody else", async () => {
      await host.run(
        "echo changed > node_modules/dep/index.js; mkdir node_modules/.cache; echo x > node_modules/.cache/y; rm -rf node_modules/gone",
      );
      expect((await host.run("cat node_modules/dep/index.js node_modules/.cache/y")).stdout).toBe(
        "changed\nx\n",
      );
      expect(readFileSync(inProject("node_modules/dep/index.js"), "utf8")).toBe(
        "module.exports = 'given';\n",
      );
      expect(existsSync(inProject("node_modules/.cache"))).toBe(false);
      expect(existsSync(inCopy("node_modules/.cache"))).toBe(false);
    });

    test("are deleted for the command alone", async () => {
      expect((await host.run("rm -rf node_modules/dep; ls node_modules")).stdout).toBe("");
      expect((await host.run("ls node_modules")).stdout).toBe("");
      expect(existsSync(inProject("node_modules/dep/index.js"))).toBe(true);
    });

    test("are found in packages of the project too", async () => {
      project("packages/a/node_modules/inner/index.js", "module.exports = 'inner';\n");
      project("packages/b/node_modules/inner/index.js", "module.exports = 'inner';\n");
      mkdirSync(inCopy("packages/a"), { recursive: true });
      expect((await host.run("cat packages/*/node_modules/inner/index.js")).stdout).toBe(
        "module.exports = 'inner';\n",
      );
      expect(existsSync(inCopy("packages/b"))).toBe(false);
    });

    test("are the copy's own where it has some", async () => {
      mkdirSync(inCopy("node_modules/own"), { recursive: true });
      expect((await host.run("ls node_modules")).stdout).toBe("own\n");
    });

    test("are those of the names that were asked for, and no other ignored folder", async () => {
      project("secrets/key", "x");
      project(".venv/one", "x");
      expect((await host.run("ls -d */ .venv")).stdout).toBe(".venv\nnode_modules/\n");
      rmSync(inCopy(".venv"), { recursive: true });
      rmSync(inCopy("node_modules"), { recursive: true });
      expect((await host.run("ls -d */", { dependencies: ["secrets"] })).stdout).toBe("secrets/\n");
    });

    test("that the project tracks, and the plan has deleted, stay deleted", async () => {
      project("vendor/lib.go", "x");
      expect((await host.run("ls -d vendor")).exitCode).not.toBe(0);
    });

    test("lead nowhere by a link in the copy", async () => {
      const outside = path.join(host.base, "outside");
      mkdirSync(path.join(outside, "a"), { recursive: true });
      project("packages/a/node_modules/inner/index.js", "x");
      symlinkSync(outside, inCopy("packages"));
      await host.run("true");
      expect(existsSync(path.join(outside, "a/node_modules"))).toBe(false);
    });
  },
);
