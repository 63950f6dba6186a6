import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Runs a program again on the Node of the checkout that it belongs to, with the same arguments,
 * environment and streams, and ends as that run ends. For a Node too old to run the program itself.
 */
export function relaunch(programUrl) {
  const program = fileURLToPath(programUrl);
  const node = findNode(path.dirname(program));
  if (node === undefined) {
    process.stderr.write(
      `${path.basename(program, ".mjs")} needs Node.js 24 (or 22.18 and later); this is ${process.version}.\n` +
        "Install Node.js 24, or run `npm run build` in the checkout, which brings its own.\n",
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [...process.execArgv, program, ...process.argv.slice(2)], { stdio: "inherit" });
  // Ctrl-C and Ctrl-\ in a terminal reach the child by themselves; they must not arrive twice.
  const inTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR2"]) {
    const fromTerminal = signal === "SIGINT" || signal === "SIGQUIT";
    process.on(signal, () => {
      if (!fromTerminal || !inTerminal) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    process.stderr.write(`${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** The Node that scripts/toolchain.mjs keeps, from here upwards. */
function findNode(from) {
  const name = `node-${process.platform}-${process.arch}`;
  for (let dir = from; ; dir = path.dirname(dir)) {
    const node = path.join(dir, ".toolchain", name, "node_modules", name, "bin", "node");
    try {
      accessSync(node, constants.X_OK);
      return node;
    } catch {
      if (dir === path.dirname(dir)) return undefined;
    }
  }
}
