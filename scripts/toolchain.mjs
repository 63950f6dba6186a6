#!/usr/bin/env node
// Runs a command of this repository on the Node.js and the pnpm it is developed with.
//
//   node scripts/toolchain.mjs [--install] [--build] [NAME=value ...] [command [args...]]
//
//   --install    installs the locked dependencies first (a tenth of a second when nothing changed)
//   --build      then builds every package (as quick when nothing changed)
//   NAME=value   environment for the command
//
// A Node or pnpm that the machine has is used when it is new enough. What is missing comes once from
// the package registry into .toolchain/, which git ignores. Plain JavaScript, no dependency, Node >= 18.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const store = path.join(root, ".toolchain");
const onWindows = process.platform === "win32";

// An ordinary package: the runtime and its headers, no install script. Published for Linux x64 and arm64.
const nodePackage = `node-${process.platform}-${process.arch}`;
const nodeVersion = "24.22.3";
const pnpmVersion = manifestOf(root)
  .packageManager.replace(/^pnpm@/, "")
  .replace(/\+.*$/, "");

const env = { TURBO_TELEMETRY_DISABLED: "1", ...process.env };

main(process.argv.slice(2));

function main(args) {
  provideNode();
  providePnpm();
  putOnPath(path.join(root, "node_modules", ".bin"));

  for (; args[0]?.startsWith("--"); args.shift()) {
    if (args[0] === "--install") step("pnpm", ["install", "--frozen-lockfile", "--loglevel=warn"]);
    else if (args[0] === "--build") step("turbo", ["run", "build", "--output-logs=errors-only"]);
    else stop(`unknown option ${args[0]}`);
  }
  for (; /^[A-Z][A-Z0-9_]*=/.test(args[0] ?? ""); args.shift()) {
    const [name, ...value] = args[0].split("=");
    env[name] = value.join("=");
  }
  const [command, ...rest] = args;
  if (command !== undefined) run(command, rest);
}

function provideNode() {
  if (isSupported(process.version)) {
    putOnPath(path.dirname(process.execPath));
    return;
  }
  if (process.platform !== "linux") {
    stop(`Node.js ${process.version} is too old here: install Node.js 24 (LTS) and run this again.`);
  }
  const dir = provide(nodePackage, nodeVersion);
  putOnPath(path.join(dir, "bin"));
  env.npm_config_nodedir = dir; // native add-ons are built against the headers of the Node that loads them
}

function providePnpm() {
  // Asked outside the repository, where no packageManager field makes another pnpm switch versions.
  const found = spawnSync("pnpm", ["--version"], {
    cwd: path.dirname(root),
    env,
    encoding: "utf8",
    shell: onWindows,
  });
  const major = (version) => version.trim().split(".")[0];
  if (found.status === 0 && major(found.stdout) === major(pnpmVersion)) return;
  provide("pnpm", pnpmVersion, (dir) => {
    // Puts the native binary in place of a stub; npm itself may refuse to run a package's install step.
    step(process.execPath, ["install.js"], { cwd: dir, shell: false });
  });
  putOnPath(path.join(store, "pnpm", "node_modules", ".bin"));
}

/** The ranges of "engines" in package.json: ^22.18.0 || ^24.11.0 || >=26. */
function isSupported(version) {
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  return major >= 26 || (major === 24 && minor >= 11) || (major === 22 && minor >= 18);
}

/** Folder of a package under .toolchain/. It appears there whole or not at all, whoever else installs. */
function provide(name, version, prepare = () => {}) {
  const home = path.join(store, name);
  const installed = path.join(home, "node_modules", name);
  if (hasVersion(installed, version)) return installed;

  process.stderr.write(`toolchain: installing ${name} ${version} into .toolchain/ (once)\n`);
  mkdirSync(store, { recursive: true });
  const fresh = mkdtempSync(path.join(store, "installing-"));
  chmodSync(fresh, 0o755);
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  step("npm", [
    "install",
    "--prefix",
    fresh,
    "--no-save",
    "--no-package-lock",
    ...quiet,
    `${name}@${version}`,
  ]);
  prepare(path.join(fresh, "node_modules", name));
  try {
    if (!hasVersion(installed, version)) {
      rmSync(home, { recursive: true, force: true });
      renameSync(fresh, home);
    }
  } catch (error) {
    if (!hasVersion(installed, version)) throw error; // else another process was faster
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return installed;
}

function hasVersion(dir, version) {
  return existsSync(path.join(dir, "package.json")) && manifestOf(dir).version === version;
}

function manifestOf(dir) {
  return JSON.parse(readFileSync(path.join(dir, "package.json"), "utf8"));
}

function putOnPath(dir) {
  env.PATH = `${dir}${path.delimiter}${env.PATH ?? ""}`;
}

/** Runs one preparation to its end. It speaks on stderr: stdout belongs to the command. */
function step(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    shell: onWindows,
    stdio: ["ignore", 2, 2],
    ...options,
  });
  if (status !== 0) stop(`\`${command} ${args.join(" ")}\` failed${error ? `: ${error.message}` : ""}`);
}

/** Runs the command in this process's place, as far as signals and exit code go. */
function run(command, args) {
  const child = spawn(command, args, { cwd: root, env, stdio: "inherit", shell: onWindows });
  // Ctrl-C in a terminal reaches the child by itself; it must not arrive twice.
  const inTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !inTerminal) child.kill(signal);
    });
  }
  child.on("error", (error) => stop(error.message));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function stop(reason) {
  process.stderr.write(`toolchain: ${reason}\n`);
  process.exit(1);
}
