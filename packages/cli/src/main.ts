import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname } from "node:path";
import type { CliContext, OutputStream } from "./context.ts";
import { run } from "./run.ts";
import { createInput } from "./stdin.ts";

// The program `agents`: the only file that knows the process. bin/agents.mjs imports its bundle.

const { env, stdin, stdout, stderr } = process;

// A reader that has seen enough (`agents plan list | head -1`) is no failure. Other errors of a stream are.
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    if (stream === stdout)
      stderr.write(`error: the output could not be written: ${error.code ?? error.message}\n`);
    process.exit(1);
  });
}

function outputOf(stream: NodeJS.WriteStream): OutputStream {
  return {
    write: (text) => void stream.write(text),
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns ?? columnsOf(env["COLUMNS"]);
    },
    get rows() {
      return stream.rows;
    },
  };
}

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

const context: CliContext = {
  argv: process.argv.slice(2),
  env,
  cwd: currentFolder(),
  home: homedir(),
  stdin: createInput(stdin),
  stdout: outputOf(stdout),
  stderr: outputOf(stderr),
  now: Date.now,
  version: () => (createRequire(import.meta.url)("../package.json") as { version: string }).version,
  readFile: async (path) => {
    const { readFile } = await import("node:fs/promises");
    return readFile(path, "utf8");
  },
  readBytes: async (path) => {
    const { readFile } = await import("node:fs/promises");
    return readFile(path);
  },
  writeBytes: async (path, bytes) => {
    const { mkdir, writeFile } = await import("node:fs/promises");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  },
  pathExists: async (path) => {
    const { lstat } = await import("node:fs/promises");
    return lstat(path).then(
      () => true,
      () => false,
    );
  },
  fileMode: async (path) => {
    const { stat } = await import("node:fs/promises");
    return stat(path).then(
      (found) => (found.isFile() ? found.mode & 0o777 : undefined),
      () => undefined,
    );
  },
  writePrivate: async (path, text) => {
    const { writePrivate } = await import("./config/write-private.ts");
    await writePrivate(path, text);
  },
  trustAnyCertificate: () => {
    env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  },
  fetch: (input, init) => fetch(input, init),
  onInterrupt: (listener) => {
    process.on("SIGINT", listener);
    return () => void process.off("SIGINT", listener);
  },
  connect: async (request) => {
    const { TransportSelector } = await import("./connect/transport-selector.ts");
    const { cwd, home } = context;
    const { execPath } = process;
    const selector = new TransportSelector({
      env,
      cwd,
      home,
      uid: process.getuid?.(),
      execPath,
      selfUrl: import.meta.url,
    });
    return selector.connect(request);
  },
};

const code = await run(context);
// Nothing may hold the process once the answer is written: neither an idle connection nor an open stdin.
stdout.write("", (error) => {
  // What could not be written is the listener's to tell, above.
  if (error === null || error === undefined) stderr.write("", () => process.exit(code));
});
