import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";

const START_WITHIN_MS = 30_000;

/**
 * Makes the files if there are none, starts the server, and ends it when it is told to, or when whoever started it is
 * gone: then its input ends, however that came about, and the files go too.
 */
const GUARD = `binaries=$1 directory=$2 port=$3
shift 3
[ -d "$directory/data" ] || "$binaries/initdb" -D "$directory/data" "$@" >"$directory/log" 2>&1 || exit 1
"$binaries/postgres" -D "$directory/data" -p "$port" -h 127.0.0.1 -F -k '' -c full_page_writes=off \\
  -c max_connections=200 >>"$directory/log" 2>&1 & server=$!
if read -r line; then kill -QUIT $server; wait $server; exit 0; fi
kill -QUIT $server; wait $server; rm -rf "$directory"`;

/** A server that lives no longer than this process: made anew, in a directory of its own, not safe from power cuts. */
export class PostgresCluster {
  readonly #binaries: string;
  readonly #user: { readonly uid?: number; readonly gid?: number };
  readonly #directory: string;
  readonly port: number;
  #guard: ChildProcess | undefined;

  private constructor(
    binaries: string,
    user: { readonly uid?: number; readonly gid?: number },
    directory: string,
    port: number,
  ) {
    this.#binaries = binaries;
    this.#user = user;
    this.#directory = directory;
    this.port = port;
  }

  static async create(binaries: string): Promise<PostgresCluster> {
    const user = serverUser();
    const directory = mkdtempSync(join(tmpdir(), "cleveragents-postgres-"));
    chmodSync(directory, 0o700);
    if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
    const cluster = new PostgresCluster(binaries, user, directory, await freePort());
    try {
      await cluster.start();
      return cluster;
    } catch (error) {
      await cluster.dispose();
      throw error;
    }
  }

  url(database: string): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    if (this.#guard !== undefined) return;
    const place = [this.#binaries, this.#directory, String(this.port)];
    const guard = spawn("sh", ["-c", GUARD, "guard", ...place, ...this.#initdbOptions()], {
      ...this.#user,
      cwd: "/",
      detached: true, // an interrupt from the terminal is for the tests, which end it in order
      env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
    });
    // It must not keep this process alive; it ends with it.
    guard.unref();
    if (guard.stdin !== null && "unref" in guard.stdin && typeof guard.stdin.unref === "function")
      guard.stdin.unref();
    this.#guard = guard;
    await this.#answers();
  }

  /** Ends the server at once and without warning, as a crash does; what was committed is there when it starts again. */
  async kill(): Promise<void> {
    const guard = this.#guard;
    if (guard === undefined) return;
    this.#guard = undefined;
    const ended = once(guard, "exit");
    guard.stdin?.write("stop\n");
    await ended;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Stops every process of the server where it is, or lets them go on: it is there and does not answer. */
  signalAll(signal: "SIGSTOP" | "SIGCONT"): void {
    for (const pid of this.#processes()) process.kill(pid, signal);
  }

  async dispose(): Promise<void> {
    const guard = this.#guard;
    this.#guard = undefined;
    if (guard !== undefined) {
      const ended = once(guard, "exit");
      guard.stdin?.end();
      await ended;
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #initdbOptions(): readonly string[] {
    const options = [
      "--auth=trust",
      "--username=postgres",
      "--encoding=UTF8",
      "--no-sync",
      "--locale=C.UTF-8",
    ];
    // In an order of a language, so that what relies on the server's order shows.
    return this.#version() >= 15 ? [...options, "--locale-provider=icu", "--icu-locale=en-US"] : options;
  }

  #log(): string {
    const log = join(this.#directory, "log");
    return existsSync(log) ? readFileSync(log, "utf8").trim().slice(-500) : "without a word";
  }

  #version(): number {
    const text = execFileSync(join(this.#binaries, "postgres"), ["--version"], { encoding: "utf8" });
    return Number(/(\d+)/.exec(text)?.[1] ?? 0);
  }

  /** The server and what it has started, which are in sessions of their own. */
  #processes(): readonly number[] {
    const rows = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
    const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
    const childrenOf = (parent: number | undefined) =>
      pairs.flatMap(([pid, of]) => (pid !== undefined && of === parent ? [pid] : []));
    const servers = childrenOf(this.#guard?.pid);
    return [...servers, ...servers.flatMap(childrenOf)];
  }

  async #answers(): Promise<void> {
    for (const end = Date.now() + START_WITHIN_MS; ; ) {
      const client = new Client({ connectionString: this.url("postgres"), connectionTimeoutMillis: 2000 });
      client.on("error", () => undefined);
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
        if (this.#guard?.exitCode != null) throw new Error(`it ended: ${this.#log()}`, { cause: error });
        await delay(25);
      }
    }
  }
}

/** The server refuses to run as root: then as the user that Debian makes for it. */
function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) =>
    Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  return { uid: id("-u"), gid: id("-g") };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
