import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Sandbox } from "@cleveragents/application";
import { type JsonObject, STEP_SCHEMAS } from "@cleveragents/domain";
import { afterEach, describe, expect, test } from "vitest";
import { shellTool } from "../src/tools/shell.ts";
import { IsolatedHost, SECRET } from "./isolated-host.ts";
import { isolationHere } from "./isolation-here.ts";

const isolation = await isolationHere();

/** What an honest command needs to find. */
describe.skipIf(!isolation.works)(`a command in bubblewrap finds ${isolation.why}`, () => {
  let host: IsolatedHost;
  afterEach(() => host[Symbol.dispose]());

  test.each([
    ["below the home", "code/mine"],
    ["with spaces and quotes", 'my code/it\'s "mine" $HOME'],
    ["with a line break", "code/two\nlines"],
    ["that begins like an option", "--bind"],
    ["beside the data directory", ".cleveragents/demo"],
  ])("the copy at the place of a project %s", async (_, project) => {
    host = new IsolatedHost({ project });
    writeFileSync(path.join(host.root, "a.txt"), "copy");
    const { stdout, stderr } = await host.run('cat "$PWD/a.txt"; echo; pwd; echo new > made.txt');
    expect(stdout + stderr).toBe(`copy\n${host.project}\n`);
    expect(readFileSync(path.join(host.root, "made.txt"), "utf8")).toBe("new\n");
    expect(existsSync(path.join(host.project, "made.txt"))).toBe(false);
  });

  test("programs of toolchains below the home, and nothing that lies beside them", async () => {
    const folders = [".nvm/versions/node/v1/bin", ".local/bin", ".docker/bin", "current/bin", "apps", "bin"];
    host = new IsolatedHost({ path: (home) => folders.map((folder) => `${home}/${folder}`) });
    host.file(".nvm/versions/node/v1/lib/node_modules/npm/cli.sh", "#!/bin/sh\necho npm\n", 0o755);
    mkdirSync(path.join(host.home, ".nvm/versions/node/v1/bin"), { recursive: true });
    host.link(".nvm/versions/node/v1/bin/npm", "../lib/node_modules/npm/cli.sh");
    host.program("sdk/tool/bin/linked", "linked");
    host.file("sdk/tool/lib/part", "part");
    host.link(".local/bin/linked", "../../sdk/tool/bin/linked");
    host.program("elsewhere/single", "single");
    host.link(".local/bin/single", "../../elsewhere/single");
    host.program(".docker/bin/docker", "docker");
    host.program("versions/2/bin/versioned", "versioned");
    host.link("current", "versions/2");
    host.program("apps/app", "app");
    host.program("bin/own", "own");
    host.secret(
      ".local/share/keyrings/login",
      "elsewhere/.env",
      "sdk/tool/credentials",
      ".nvm/token",
      "code/.env",
    );
    const { stdout, stderr } = await host.run(
      "for one in npm linked single docker versioned app own; do $one; done; cat ~/sdk/tool/lib/part",
    );
    expect(stdout + stderr).toBe("npm\nlinked\nsingle\ndocker\nversioned\napp\nown\npart");
    const { stdout: all } = await host.run("grep -rs '' ~ --exclude-dir=node; touch ~/.local/bin/planted");
    expect(all).not.toContain(SECRET);
    expect(existsSync(path.join(host.home, ".local/bin/planted"))).toBe(false);
  });

  test("a toolchain that lies in the project, which is no change of the plan's", async () => {
    host = new IsolatedHost({
      project: "code",
      path: (home) => [`${home}/code/.tools/node/bin`, `${home}/code/node_modules/.bin`],
    });
    host.program("code/.tools/node/bin/tool", "tool");
    host.program("code/node_modules/.bin/dependency", "dependency");
    const { stdout } = await host.run("tool; dependency; find . -type f | grep -v '^./.tools/node/bin/'", {
      dependencies: [],
    });
    expect(stdout).toBe("tool\n");
    expect(existsSync(path.join(host.root, ".tools/node/bin/tool"))).toBe(false);
  });

  test("caches of package managers to read, and none of their credentials", async () => {
    host = new IsolatedHost();
    host.file(".npm/_cacache/index", "cached");
    host.file(".cargo/registry/index", "cached");
    host.secret(".cargo/credentials.toml", ".m2/settings.xml");
    const { stdout } = await host.run(
      "cat ~/.npm/_cacache/index ~/.cargo/registry/index; touch ~/.npm/_cacache/x; cat ~/.cargo/credentials.toml; ls -A ~/.m2; touch ~/.anything && echo home",
    );
    expect(stdout).toBe("cachedcachedhome\n");
    expect(existsSync(path.join(host.home, ".anything"))).toBe(false);
  });

  test("a home that is no part of a project which is the home itself", async () => {
    host = new IsolatedHost({ project: "." });
    const { stdout } = await host.run("echo x > ~/made && cd ~ && pwd");
    expect(stdout).toBe("/tmp/home\n");
    expect(readdirSync(host.root)).toEqual([]);
  });

  test("the same through the shell tool as by itself", async () => {
    host = new IsolatedHost();
    mkdirSync(path.join(host.root, "sub"));
    const args = { command: "pwd; echo made > made.txt", cwd: path.join(host.project, "sub"), env: {} };
    const { value } = await shellTool(host.runner).call(STEP_SCHEMAS.run.parse(args) as JsonObject, {
      planId: "plan",
      sandbox: { root: host.root, projectRoot: host.project } as Sandbox, // the tool takes nothing else of it
      signal: new AbortController().signal,
      network: false,
    });
    expect(value).toMatchObject({ exitCode: 0, stdout: `${host.project}/sub\n` });
    expect(existsSync(path.join(host.root, "sub/made.txt"))).toBe(true);
  });

  test("what the tests of a project need", async () => {
    host = new IsolatedHost();
    writeFileSync(
      path.join(host.root, "own.test.mjs"),
      'import test from "node:test"; test("runs", () => {});\n',
    );
    const { exitCode, stdout } = await host.run(
      "node --test && git init -q . && git add own.test.mjs && git status --short && mktemp && rm -rf .git",
    );
    expect(stdout).toMatch(/pass 1/);
    expect(stdout).toMatch(/A {2}own\.test\.mjs\n\/tmp\/tmp\./);
    expect(exitCode).toBe(0);
  });
});
