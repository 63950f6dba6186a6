import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import tmp from "tmp";
import { afterAll, expect, test } from "vitest";
import { root } from "./cruise.ts";

const launchers = ["packages/cli/bin/agents.mjs", "apps/server/bin/cleveragents-server.mjs"];

test("the launchers differ in nothing: a correction of one belongs in the other", () => {
  const [first, second] = launchers.map((file) => readFileSync(path.join(root, file), "utf8"));
  expect(second).toBe(first);
  const [one, two] = launchers.map((file) =>
    readFileSync(path.join(root, path.dirname(file), "relaunch.mjs"), "utf8"),
  );
  expect(two).toBe(one);
});

const cleanups: (() => void)[] = [];
afterAll(() => {
  for (const cleanUp of cleanups) cleanUp();
});

/** A checkout whose .toolchain holds this Node, with a program of one statement. */
function checkout(statement: string) {
  const { name: folder, removeCallback } = tmp.dirSync({ unsafeCleanup: true, prefix: "launcher-" });
  cleanups.push(removeCallback);
  const home = path.join(folder, "packages/cli");
  mkdirSync(path.join(home, "bin"), { recursive: true });
  mkdirSync(path.join(home, "dist"));
  writeFileSync(path.join(home, "dist/main.mjs"), statement);
  for (const file of ["agents.mjs", "relaunch.mjs"]) {
    copyFileSync(path.join(root, "packages/cli/bin", file), path.join(home, "bin", file));
  }
  const name = `node-${process.platform}-${process.arch}`;
  const bin = path.join(folder, ".toolchain", name, "node_modules", name, "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, path.join(bin, "node"));
  // The name on the PATH is a link to the file, as npm and pnpm lay it.
  symlinkSync(path.join(home, "bin/agents.mjs"), path.join(folder, "agents"));
  return { program: path.join(folder, "agents"), relaunch: path.join(home, "bin/relaunch.mjs"), folder };
}

const start = (...args: string[]) => spawnSync(process.execPath, args, { encoding: "utf8" });

test("a launcher passes arguments and exit code", () => {
  const { program } = checkout("console.log(process.argv.slice(2).join()); process.exitCode = 7;");
  const { stdout, status } = start(program, "plan", "status");
  expect(stdout).toBe("plan,status\n");
  expect(status).toBe(7);
});

/** What a launcher does on an old Node, said by one that is not. */
const relaunching = (relaunch: string, program: string) =>
  `import { relaunch } from ${JSON.stringify(relaunch)};
   process.execArgv.length = 0;
   process.argv.splice(1, 0, ${JSON.stringify(program)});
   relaunch(${JSON.stringify(`file://${program}`)});`;

test("on an old Node, the Node of the checkout runs the program", () => {
  const { program, relaunch } = checkout("console.log(process.argv.slice(2).join()); process.exitCode = 7;");
  const { stdout, status } = start("--input-type=module", "--eval", relaunching(relaunch, program), "a", "b");
  expect(stdout).toBe("a,b\n");
  expect(status).toBe(7);
});

test("a signal that ends the relaunched program ends the launcher", () => {
  const { program, relaunch } = checkout(
    'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);',
  );
  const { signal } = start("--input-type=module", "--eval", relaunching(relaunch, program));
  expect(signal).toBe("SIGTERM");
});
