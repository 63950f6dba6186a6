import fs from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import type { CliContext, OutputStream } from "./context.ts";
import { run } from "./run.ts";
import { createInput } from "./stdin.ts";

// The program `agents`: the only file that knows the process. bin/agents.mjs imports its bundle.

const { env, stdout } = process;

/** A stream that is opened when it is first asked about: opening one costs a part of the start. */
function outputOf(open: () => NodeJS.WriteStream): OutputStream {
  return {
    write: (text) => void open().write(text),
    get isTTY() {
      return open().isTTY === true;
    },
    get columns() {
      return open().columns ?? columnsOf(env["COLUMNS"]);
    },
    get rows() {
      return open().rows;
    },
  };
}

// A reader that has seen enough (`agents plan list | head -1`) is no failure. Other errors of a stream are.
function onError(error: NodeJS.ErrnoException): never {
  if (error.code === "EPIPE") process.exit(0);
  stderr().write(`error: the output could not be written: ${error.code ?? error.message}\n`);
  process.exit(1);
}

let openedStderr = false;
function stderr(): NodeJS.WriteStream {
  if (openedStderr) return process.stderr;
  openedStderr = true;
  // There is nowhere left to say it.
  return process.stderr.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? 0 : 1),
  );
}
stdout.on("error", onError);

/** A folder that was removed under the shell still has a name. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return env["PWD"] ?? "/";
  }
}

function columnsOf(text: string | undefined): number | undefined {
  const columns = Number(text);
  return Number.isInteger(columns) && columns > 0 ? columns : undefined;
}

async function selector() {
  const { TransportSelector } = await import("./connect/transport-selector.ts");
  const { cwd, home } = context;
  const uid = process.getuid?.();
  return new TransportSelector({ ...programDeps, cwd, home, uid, beforeHttp: goByProxies });
}

const programDeps = { env, execPath: process.execPath, selfUrl: import.meta.url };
async function serverCommand() {
  const { findServerCommand } = await import("./connect/server-command.ts");
  return findServerCommand(programDeps);
}

async function goByProxies(): Promise<void> {
  const { useProxies } = await import("./connect/use-proxies.ts");
  await useProxies(env, (text) => stderr().write(`warning: ${text}\n`));
}

const context: CliContext = {
  argv: process.argv.slice(2),
  env,
  cwd: currentFolder(),
  home: homedir(),
  stdin: createInput(() => process.stdin),
  stdout: outputOf(() => stdout),
  stderr: outputOf(stderr),
  now: Date.now,
  version: () => {
    const manifest = fs.readFileSync(new URL("../package.json", import.meta.url), "utf8");
    return (JSON.parse(manifest) as { version: string }).version;
  },
  // Nobody is kept waiting by this process, and `fs.promises` is a part of Node that takes its time to load.
  readFile: async (path) => fs.readFileSync(path, "utf8"),
  readBytes: async (path) => fs.readFileSync(path),
  writeBytes: async (path, bytes) => {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, bytes);
  },
  pathExists: async (path) => {
    try {
      return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false;
    }
  },
  fileMode: async (path) => {
    try {
      const found = fs.statSync(path, { throwIfNoEntry: false });
      return found?.isFile() === true ? found.mode & 0o777 : undefined;
    } catch {
      return undefined;
    }
  },
  writePrivate: async (path, text) => {
    const { writePrivate } = await import("./config/write-private.ts");
    await writePrivate(path, text);
  },
  exclusively: async (path, work) => {
    const { exclusively } = await import("./config/exclusively.ts");
    return exclusively(path, work);
  },
  trustAnyCertificate: () => {
    env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  },
  fetch: async (input, init) => {
    await goByProxies();
    return fetch(input, init);
  },
  loopback: async (port) => {
    const { listenOnLoopback } = await import("./connect/loopback.ts");
    return listenOnLoopback(port);
  },
  onInterrupt: (listener) => {
    process.on("SIGINT", listener);
    return () => void process.off("SIGINT", listener);
  },
  runProgram: async (command, given) => {
    const { runProgram } = await import("./output/run-program.ts");
    return runProgram(command, given, env);
  },
  connect: async (request) => (await selector()).connect(request),
  localAgent: async (dataDir) => (await selector()).localAgent(dataDir),
  serve: async (args) => {
    const { serveHere } = await import("./connect/run-server.ts");
    return serveHere(await serverCommand(), args, process);
  },
  serverProgram: async (args) => {
    const { askProgram } = await import("./connect/run-server.ts");
    return askProgram(await serverCommand(), args);
  },
};

const code = await run(context);
// Nothing may hold the process once the answer is written: neither an idle connection nor an open stdin.
stdout.write("", (error) => {
  // What could not be written is the listener's to tell, above.
  if (error !== null && error !== undefined) return;
  if (openedStderr) process.stderr.write("", () => process.exit(code));
  else process.exit(code);
});
